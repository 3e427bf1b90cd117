// SPDX-License-Identifier: MIT

import CLCMS

@testable import SluiceImaging

/// Profiles like those of cameras, editors and printers, made with lcms2, and lcms2's own conversions.
enum LCMSProfiles {
    static let displayP3 = unsafe rgb((0.3127, 0.3290), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), sRGBCurve)
    static let adobeRGB = unsafe rgb((0.3127, 0.3290), (0.64, 0.33), (0.21, 0.71), (0.15, 0.06), gamma(2.19921875))
    static let proPhoto = unsafe rgb((0.3457, 0.3585), (0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001), gamma(1.8))
    static let linearSRGB = unsafe rgb((0.3127, 0.3290), (0.64, 0.33), (0.30, 0.60), (0.15, 0.06), gamma(1))
    static let sRGB = unsafe saved(cmsCreate_sRGBProfile())
    static let grey22 = grey(2.2)
    static let cmyk = inks()

    typealias Chromaticity = (x: Double, y: Double)

    static func gamma(_ value: Double) -> OpaquePointer? { unsafe cmsBuildGamma(nil, value) }

    static var sRGBCurve: OpaquePointer? {
        unsafe cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    }

    /// Makes a display profile; takes ownership of the curve.
    static func rgb(
        _ white: Chromaticity, _ red: Chromaticity, _ green: Chromaticity, _ blue: Chromaticity, _ curve: OpaquePointer?
    ) -> [UInt8] {
        defer { unsafe cmsFreeToneCurve(curve) }
        func point(_ color: Chromaticity) -> cmsCIExyY { cmsCIExyY(x: color.x, y: color.y, Y: 1) }
        var white = point(white)
        var primaries = cmsCIExyYTRIPLE(Red: point(red), Green: point(green), Blue: point(blue))
        var curves = unsafe [curve, curve, curve]
        return unsafe saved(cmsCreateRGBProfile(&white, &primaries, &curves))
    }

    private static func grey(_ exponent: Double) -> [UInt8] {
        let curve = unsafe gamma(exponent)
        defer { unsafe cmsFreeToneCurve(curve) }
        return unsafe saved(cmsCreateGrayProfile(cmsD50_xyY(), curve))
    }

    /// Makes a printer profile: a table from CMYK to Lab, with inks that multiply the light.
    private static func inks() -> [UInt8] {
        let profile = unsafe cmsCreateProfilePlaceholder(nil)
        unsafe cmsSetProfileVersion(profile, 2.1)
        unsafe cmsSetDeviceClass(profile, cmsSigOutputClass)
        unsafe cmsSetColorSpace(profile, cmsSigCmykData)
        unsafe cmsSetPCS(profile, cmsSigLabData)
        let lut = unsafe cmsPipelineAlloc(nil, 4, 3)
        let table = unsafe cmsStageAllocCLut16bit(nil, 9, 4, 3, nil)
        unsafe _ = cmsStageSampleCLut16bit(table, sampleInks, nil, 0)
        unsafe _ = cmsPipelineInsertStage(lut, cmsAT_END, table)
        unsafe _ = cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeMutableRawPointer(lut))
        unsafe _ = cmsLinkTag(profile, cmsSigAToB1Tag, cmsSigAToB0Tag)
        unsafe _ = cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ())
        defer { unsafe cmsPipelineFree(lut) }
        return unsafe saved(profile)
    }

    /// Converts four 16-bit inks (maximum is full ink) to Lab in the encoding of version 2 profiles.
    private static let sampleInks: cmsSAMPLER16 = { input, output, _ in
        guard let input = unsafe input, let output = unsafe output else { return 0 }
        let inks = (0..<4).map { unsafe Double(input[$0]) / 65535 }
        // The red, green and blue light that passes through each full ink.
        let pass = [[0.05, 0.45, 0.75], [0.75, 0.05, 0.35], [0.95, 0.85, 0.05], [0.03, 0.03, 0.03]]
        var light = [1.0, 1.0, 1.0]
        for (ink, through) in zip(inks, pass) {
            for channel in 0..<3 { light[channel] *= 1 - ink * (1 - through[channel]) }
        }
        let x = 0.4361 * light[0] + 0.3851 * light[1] + 0.1431 * light[2]
        let y = 0.2225 * light[0] + 0.7169 * light[1] + 0.0606 * light[2]
        let z = 0.0139 * light[0] + 0.0971 * light[1] + 0.7141 * light[2]
        var xyz = cmsCIEXYZ(X: x, Y: y, Z: z)
        var lab = cmsCIELab()
        unsafe cmsXYZ2Lab(nil, &lab, &xyz)
        unsafe cmsFloat2LabEncodedV2(output, &lab)
        return 1
    }

    private static func saved(_ profile: cmsHPROFILE?) -> [UInt8] {
        var count: UInt32 = 0
        unsafe cmsSaveProfileToMem(profile, nil, &count)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        unsafe cmsSaveProfileToMem(profile, &bytes, &count)
        unsafe cmsCloseProfile(profile)
        return bytes
    }

    /// Converts an image's samples to sRGB with lcms2, in floating point and without optimizations.
    static func truth(_ image: Raster, _ profile: [UInt8]) -> [Double] {
        let from = unsafe cmsOpenProfileFromMem(profile, UInt32(profile.count))
        let to = unsafe cmsCreate_sRGBProfile()
        defer {
            unsafe cmsCloseProfile(from)
            unsafe cmsCloseProfile(to)
        }
        // 32-bit floats; lcms2 measures inks in percent.
        let space = UInt32(image.layout == .grey ? PT_GRAY : image.layout == .cmyk ? PT_CMYK : PT_RGB)
        let format = { (space: UInt32, channels: Int) -> UInt32 in 1 << 22 | space << 16 | UInt32(channels) << 3 | 4 }
        let flags = UInt32(cmsFLAGS_NOOPTIMIZE | cmsFLAGS_BLACKPOINTCOMPENSATION)
        let transform = unsafe cmsCreateTransform(
            from, format(space, image.layout.channels), to, format(UInt32(PT_RGB), 3),
            UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        defer { unsafe cmsDeleteTransform(transform) }
        let samples = image.bytes.map {
            image.layout == .cmyk ? Float(255 - $0) / 2.55 : Float($0) / 255
        }
        let pixels = image.width * image.height
        var out = [Float](repeating: 0, count: pixels * 3)
        unsafe cmsDoTransform(transform, samples, &out, UInt32(pixels))
        return out.map { min(255, max(0, Double($0) * 255)) }
    }
}

/// Colour profiles built byte by byte.
enum HandmadeProfiles {
    /// Makes an RGB profile with a gamma of 2.2 and the given primaries in XYZ, by default sRGB's.
    static func rgb(
        red: [Double] = red, green: [Double] = green, blue: [Double] = blue, more: [(String, [UInt8])] = []
    ) -> [UInt8] {
        let gamma = Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0x02, 0x33, 0, 0]
        return profile(
            [
                ("rXYZ", xyz(red)), ("gXYZ", xyz(green)), ("bXYZ", xyz(blue)), ("wtpt", xyz([0.9642, 1, 0.8249])),
                ("rTRC", gamma), ("gTRC", gamma), ("bTRC", gamma),
            ] + more)
    }

    static let red = [0.4360, 0.2225, 0.0139]
    static let green = [0.3851, 0.7169, 0.0971]
    static let blue = [0.1431, 0.0606, 0.7139]

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap { Int32(($0 * 65536).rounded()).bigEndianBytes }
    }

    private static func profile(_ tags: [(String, [UInt8])]) -> [UInt8] {
        var table = UInt32(tags.count).bigEndianBytes
        var bodies: [UInt8] = []
        for (name, body) in tags {
            let start = 128 + 4 + tags.count * 12 + bodies.count
            table += Array(name.utf8) + UInt32(start).bigEndianBytes + UInt32(body.count).bigEndianBytes
            bodies += body
        }
        let size = UInt32(128 + table.count + bodies.count).bigEndianBytes
        let kind = Array("mntrRGB XYZ ".utf8)
        var header = size + [0, 0, 0, 0] + [2, 0x20, 0, 0] + kind
        header += [UInt8](repeating: 0, count: 36 - header.count) + Array("acsp".utf8)
        header +=
            [UInt8](repeating: 0, count: 68 - header.count)
            + [0.9642, 1, 0.8249].flatMap {
                Int32(($0 * 65536).rounded()).bigEndianBytes
            }
        return header + [UInt8](repeating: 0, count: 128 - header.count) + table + bodies
    }
}

/// Builds files with metadata without using the library's own metadata writer.
enum FilesWithMetadata {
    /// Makes an image with an embedded profile, which a JPEG stores in two parts in reverse order.
    static func file(_ image: Raster, _ format: ImageFormat, _ profile: [UInt8]) throws -> [UInt8] {
        try file(of: SampleImages.file(format, image), image, format, profile)
    }

    static func file(of file: [UInt8], _ image: Raster, _ format: ImageFormat, _ profile: [UInt8]) -> [UInt8] {
        FormatFixture.of(format).insert(.profile(profile), file, image.width, image.height)
    }

    /// Makes an image with an EXIF block.
    static func file(_ image: Raster, _ format: ImageFormat, exif: [UInt8]) throws -> [UInt8] {
        FormatFixture.of(format).insert(
            .exif(exif), try SampleImages.file(format, image), image.width, image.height)
    }
}

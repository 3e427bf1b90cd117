// SPDX-License-Identifier: MIT

internal import CLCMS

/// Owns an lcms2 colour profile.
@safe struct ColorProfile: ~Copyable {
    let handle: cmsHPROFILE

    /// Takes ownership of a profile that lcms2 made; `nil` if lcms2 returned none.
    init?(owning handle: cmsHPROFILE?) {
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    /// Parses an embedded profile; `nil` if it is invalid.
    init?(_ bytes: [UInt8]) {
        let opened = unsafe bytes.withUnsafeBytes { buffer in
            unsafe cmsOpenProfileFromMem(buffer.baseAddress, cmsUInt32Number(buffer.count))
        }
        unsafe self.init(owning: opened)
    }

    /// Creates the sRGB profile, which viewers assume for images without a profile.
    init?(sRGB: Void) {
        unsafe self.init(owning: cmsCreate_sRGBProfile())
    }

    deinit { unsafe cmsCloseProfile(handle) }

    /// Whether the profile's colour space is grey.
    var isGrey: Bool { unsafe cmsGetColorSpace(handle) == cmsSigGrayData }

    /// Returns whether the profile fits samples of a layout; a grey image may be stored as RGB with equal channels.
    func describes(_ layout: PixelLayout, isGrey: Bool) -> Bool {
        let space = unsafe cmsGetColorSpace(handle)
        return switch layout {
        case .grey, .greyAlpha: space == cmsSigGrayData
        case .rgb, .rgba: space == (isGrey ? cmsSigGrayData : cmsSigRgbData)
        case .cmyk: space == cmsSigCmykData
        }
    }
}

extension ColorProfile {
    /// The largest profile that thumbnails may embed, in bytes; screens and cameras have smaller ones.
    private static var maxBytes: Int { 1 << 20 }

    /// Returns the profile without trailing bytes, as any format accepts it.
    ///
    /// Returns `nil` if the profile is too large, or if a strict reader would reject it although lcms2 tolerates it.
    func embeddable(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 132 else { return nil }
        func number(_ offset: Int) -> Int { Int(bytes[offset..<offset + 4].number(bigEndian: true)) }
        let count = number(0)
        let tags = number(128)
        let isAligned = bytes[8] < 4 || count % 4 == 0
        guard count <= min(bytes.count, Self.maxBytes), isAligned, tags <= (count - 132) / 12, number(64) < 0xFFFF,
            describesImages
        else {
            return nil
        }
        let isWhole = (0..<tags).allSatisfy { tag in
            let (start, length) = (number(132 + tag * 12 + 4), number(132 + tag * 12 + 8))
            return start <= count && length <= count - start
        }
        return isWhole ? Array(bytes.prefix(count)) : nil
    }

    /// Whether the profile's class is one that describes images.
    private var describesImages: Bool {
        let kinds = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
        let spaces = [cmsSigXYZData, cmsSigLabData]
        return unsafe kinds.contains(cmsGetDeviceClass(handle)) && spaces.contains(cmsGetPCS(handle))
    }
}

/// Owns an lcms2 transform from a profile's colours to sRGB.
///
/// Colours inside both gamuts stay the same, others map to the nearest colour, and black maps to black (relative
/// colorimetric with black point compensation). It is `@unchecked Sendable` because lcms2 only reads a transform made
/// without the one-pixel cache, so that any number of threads may use it.
@safe struct ColorTransform: ~Copyable, @unchecked Sendable {
    private let handle: cmsHTRANSFORM

    /// Creates a transform between two lcms2 pixel formats; `nil` if lcms2 cannot.
    init?(from profile: borrowing ColorProfile, _ source: UInt32, to result: UInt32, _ flags: UInt32 = 0) {
        let flags = flags | UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA | cmsFLAGS_NOCACHE)
        guard let target = ColorProfile(sRGB: ()),
            let made = unsafe cmsCreateTransform(
                profile.handle, source, target.handle, result, UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { return nil }
        unsafe handle = made
    }

    /// Creates the transform for images of a layout; `nil` for grey layouts.
    init?(from profile: borrowing ColorProfile, of layout: PixelLayout) {
        switch layout {
        case .rgb: self.init(from: profile, clcms_rgb8(), to: clcms_rgb8())
        case .rgba: self.init(from: profile, clcms_rgba8(), to: clcms_rgba8())
        case .cmyk: self.init(from: profile, clcms_cmyk8_light(), to: clcms_rgb8())
        case .grey, .greyAlpha: return nil
        }
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    /// Returns the samples of `pixels` pixels in sRGB, with `channels` channels each.
    func apply(_ samples: [UInt8], pixels: Int, channels: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: pixels * channels) { buffer, filled in
            unsafe cmsDoTransform(handle, samples, buffer.baseAddress, UInt32(pixels))
            filled = pixels * channels
        }
    }

    /// Returns an image in sRGB.
    func apply(_ raster: Raster) -> Raster {
        let layout: PixelLayout = raster.layout == .rgba ? .rgba : .rgb
        let bytes = apply(raster.bytes, pixels: raster.width * raster.height, channels: layout.channels)
        return Raster(width: raster.width, height: raster.height, layout: layout, bytes: bytes)
    }

    /// Returns whether no colour of a layout changes by more than one step.
    func isIdentity(for layout: PixelLayout) -> Bool {
        guard layout != .cmyk else { return false }
        let steps = [0, 2, 8, 16, 32, 64, 96, 128, 192, 224, 255] as [UInt8]
        let colors: [[UInt8]] = steps.flatMap { red in steps.flatMap { green in steps.map { [red, green, $0, 255] } } }
        let chart = colors.flatMap { $0.prefix(layout.channels) }
        let converted = apply(chart, pixels: colors.count, channels: layout.channels)
        return zip(converted, chart).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}

// SPDX-License-Identifier: MIT

internal import CLCMS

/// The owner of a colour profile.
@safe struct ColourProfile: ~Copyable {
    fileprivate let handle: cmsHPROFILE

    /// Reads an embedded profile; `nil` if it is broken.
    init?(_ bytes: [UInt8]) {
        let opened = unsafe bytes.withUnsafeBytes { buffer in
            unsafe cmsOpenProfileFromMem(buffer.baseAddress, cmsUInt32Number(buffer.count))
        }
        guard let opened = unsafe opened else { return nil }
        unsafe handle = opened
    }

    /// The profile that thumbnails have, and which everyone takes an image without one to have.
    init?(sRGB: Void) {
        guard let made = unsafe cmsCreate_sRGBProfile() else { return nil }
        unsafe handle = made
    }

    deinit { unsafe cmsCloseProfile(handle) }

    /// Whether it says of itself to be sRGB, so that there is nothing to do.
    var isSRGB: Bool {
        var text = [CChar](repeating: 0, count: 64)
        let count = unsafe cmsGetProfileInfoASCII(handle, cmsInfoDescription, "en", "US", &text, 64)
        let bytes = text.prefix(Int(count)).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self).contains("sRGB")
    }

    /// Whether it describes samples like these.
    func describes(_ layout: PixelLayout) -> Bool {
        let space = unsafe cmsGetColorSpace(handle)
        return switch layout {
        case .grey: space == cmsSigGrayData
        case .rgb, .rgba: space == cmsSigRgbData
        case .cmyk: space == cmsSigCmykData
        }
    }
}

/// The owner of a way from one profile's colours to sRGB.
@safe struct ColourTransform: ~Copyable {
    private let handle: cmsHTRANSFORM
    private let source: PixelLayout

    /// Makes the way; `nil` if lcms2 finds none.
    init?(from profile: borrowing ColourProfile, of source: PixelLayout) {
        let formats: (from: UInt32, to: UInt32) =
            switch source {
            case .grey: (clcms_grey8(), clcms_rgb8())
            case .rgb: (clcms_rgb8(), clcms_rgb8())
            case .rgba: (clcms_rgba8(), clcms_rgba8())
            case .cmyk: (clcms_cmyk8_light(), clcms_rgb8())
            }
        let flags = UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA)
        guard let target = ColourProfile(sRGB: ()),
            let made = unsafe cmsCreateTransform(
                profile.handle, formats.from, target.handle, formats.to,
                UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { return nil }
        unsafe handle = made
        self.source = source
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    /// The picture in sRGB; grey stays grey.
    func apply(_ raster: Raster) -> Raster {
        let pixels = raster.width * raster.height
        let layout: PixelLayout = source == .rgba ? .rgba : .rgb
        let count = pixels * layout.channels
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe cmsDoTransform(handle, raster.bytes, buffer.baseAddress, UInt32(pixels))
            filled = count
        }
        let converted = Raster(width: raster.width, height: raster.height, layout: layout, bytes: bytes)
        return source == .grey ? converted.greyed : converted
    }
}

extension Raster {
    /// The first channel of a picture all of whose channels are alike.
    fileprivate var greyed: Raster {
        let bytes = stride(from: 0, to: bytes.count, by: layout.channels).map { self.bytes[$0] }
        return Raster(width: width, height: height, layout: .grey, bytes: bytes)
    }
}

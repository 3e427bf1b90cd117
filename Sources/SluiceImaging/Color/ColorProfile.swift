// SPDX-License-Identifier: MIT

internal import CLCMS

/// The owner of a colour profile.
@safe struct ColorProfile: ~Copyable {
    let handle: cmsHPROFILE

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
        case .grey, .greyAlpha: space == cmsSigGrayData
        case .rgb, .rgba: space == cmsSigRgbData
        case .cmyk: space == cmsSigCmykData
        }
    }
}

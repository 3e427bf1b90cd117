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

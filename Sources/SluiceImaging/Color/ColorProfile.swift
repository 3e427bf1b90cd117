// SPDX-License-Identifier: MIT

internal import CLCMS

/// The owner of a colour profile.
@safe struct ColorProfile: ~Copyable {
    let handle: cmsHPROFILE

    /// Takes over a profile that lcms2 made; `nil` if it could not.
    init?(owning handle: cmsHPROFILE?) {
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    /// Reads an embedded profile; `nil` if it is broken.
    init?(_ bytes: [UInt8]) {
        let opened = unsafe bytes.withUnsafeBytes { buffer in
            unsafe cmsOpenProfileFromMem(buffer.baseAddress, cmsUInt32Number(buffer.count))
        }
        unsafe self.init(owning: opened)
    }

    /// The profile that thumbnails have, and which everyone takes an image without one to have.
    init?(sRGB: Void) {
        unsafe self.init(owning: cmsCreate_sRGBProfile())
    }

    deinit { unsafe cmsCloseProfile(handle) }

    /// Whether it tells of grey alone.
    var isGrey: Bool { unsafe cmsGetColorSpace(handle) == cmsSigGrayData }

    /// Whether it describes samples like these; pixels of a grey picture may stand as red, green and blue alike.
    func describes(_ layout: PixelLayout, isGrey: Bool) -> Bool {
        let space = unsafe cmsGetColorSpace(handle)
        return switch layout {
        case .grey, .greyAlpha: space == cmsSigGrayData
        case .rgb, .rgba: space == (isGrey ? cmsSigGrayData : cmsSigRgbData)
        case .cmyk: space == cmsSigCmykData
        }
    }
}

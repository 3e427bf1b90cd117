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

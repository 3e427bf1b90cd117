// SPDX-License-Identifier: MIT

internal import CLCMS

/// The owner of a lcms2 transform from one profile's colours to sRGB.
///
/// Unchecked, since lcms2 only reads a transform that was made without its one-pixel cache, from any number of threads.
@safe struct ColorTransform: ~Copyable, @unchecked Sendable {
    private let handle: cmsHTRANSFORM
    private let source: PixelLayout

    /// Makes the way; `nil` if lcms2 finds none.
    init?(from profile: borrowing ColorProfile, of source: PixelLayout) {
        let formats: (from: UInt32, to: UInt32) =
            switch source {
            case .grey, .greyAlpha: (clcms_grey8(), clcms_rgb8())
            case .rgb: (clcms_rgb8(), clcms_rgb8())
            case .rgba: (clcms_rgba8(), clcms_rgba8())
            case .cmyk: (clcms_cmyk8_light(), clcms_rgb8())
            }
        let flags = UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA | cmsFLAGS_NOCACHE)
        guard let target = ColorProfile(sRGB: ()),
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

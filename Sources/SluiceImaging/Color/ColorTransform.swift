// SPDX-License-Identifier: MIT

internal import CLCMS

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

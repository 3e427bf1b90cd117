// SPDX-License-Identifier: MIT

internal import CLCMS

/// The owner of a lcms2 transform from one profile's colours to sRGB.
///
/// Colours that both have stay as they are and the others come as near as can be (relative colorimetric, and black goes
/// to black). Unchecked, since lcms2 only reads a transform that was made without its one-pixel cache, from any number of
/// threads.
@safe struct ColorTransform: ~Copyable, @unchecked Sendable {
    private let handle: cmsHTRANSFORM

    /// Makes a way between two of lcms2's pixel formats; `nil` if it finds none.
    init?(from profile: borrowing ColorProfile, _ source: UInt32, to result: UInt32, _ flags: UInt32 = 0) {
        let flags = flags | UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA | cmsFLAGS_NOCACHE)
        guard let target = ColorProfile(sRGB: ()),
            let made = unsafe cmsCreateTransform(
                profile.handle, source, target.handle, result, UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { return nil }
        unsafe handle = made
    }

    /// Makes the way for pictures of a layout that has colours.
    init?(from profile: borrowing ColorProfile, of layout: PixelLayout) {
        switch layout {
        case .rgb: self.init(from: profile, clcms_rgb8(), to: clcms_rgb8())
        case .rgba: self.init(from: profile, clcms_rgba8(), to: clcms_rgba8())
        case .cmyk: self.init(from: profile, clcms_cmyk8_light(), to: clcms_rgb8())
        case .grey, .greyAlpha: return nil
        }
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    /// The samples of so many pixels in sRGB, each then with so many channels.
    func apply(_ samples: [UInt8], pixels: Int, channels: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: pixels * channels) { buffer, filled in
            unsafe cmsDoTransform(handle, samples, buffer.baseAddress, UInt32(pixels))
            filled = pixels * channels
        }
    }

    /// A picture in sRGB.
    func apply(_ raster: Raster) -> Raster {
        let layout: PixelLayout = raster.layout == .rgba ? .rgba : .rgb
        let bytes = apply(raster.bytes, pixels: raster.width * raster.height, channels: layout.channels)
        return Raster(width: raster.width, height: raster.height, layout: layout, bytes: bytes)
    }

    /// Whether no colour of a layout changes by more than a step.
    func isIdle(for layout: PixelLayout) -> Bool {
        guard layout != .cmyk else { return false }
        let steps = [0, 2, 8, 16, 32, 64, 96, 128, 192, 224, 255] as [UInt8]
        let colors: [[UInt8]] = steps.flatMap { red in steps.flatMap { green in steps.map { [red, green, $0, 255] } } }
        let chart = colors.flatMap { $0.prefix(layout.channels) }
        let converted = apply(chart, pixels: colors.count, channels: layout.channels)
        return zip(converted, chart).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}

// SPDX-License-Identifier: MIT

internal import CLCMS

/// How a grey profile's samples come to sRGB: one for one, so that a table is exact and fast.
struct GreyCurve: Sendable {
    private let samples: [UInt8]

    /// Asks lcms2 for each sample; `nil` if it finds no way.
    init?(from profile: borrowing ColorProfile) {
        guard
            let transform = ColorTransform(from: profile, clcms_grey8(), to: clcms_rgb8(), UInt32(cmsFLAGS_NOOPTIMIZE))
        else { return nil }
        let colors = transform.apply(Array(0...255), pixels: 256, channels: 3)
        samples = (0..<256).map { colors[$0 * 3] }
    }

    /// Whether no sample changes by more than a step.
    var isIdle: Bool { samples.indices.allSatisfy { abs(Int(samples[$0]) - $0) <= 1 } }

    /// A grey picture in sRGB, also if its pixels stand as red, green and blue alike; alpha stays.
    func apply(_ raster: Raster) -> Raster {
        var converted = raster
        for place in raster.bytes.indices where raster.layout != .rgba || place % 4 < 3 {
            converted.bytes[place] = samples[Int(raster.bytes[place])]
        }
        return converted
    }
}

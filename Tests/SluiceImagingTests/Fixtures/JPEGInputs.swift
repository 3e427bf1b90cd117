// SPDX-License-Identifier: MIT

import SluiceModel

@testable import SluiceImaging

/// Inputs for tests that compare decodes of JPEGs.
enum JPEGInputs {
    /// A picture whose samples differ between neighbours and components.
    static func image(_ width: Int, _ height: Int, _ layout: PixelLayout = .rgb) -> Raster {
        SampleImages.make(width, height, layout) { x, y in
            let samples = [x * y / 3 + x * 40, (x + y * 2) * 11, x * x / 7 + y * 90].map { UInt8($0 % 256) }
            return layout == .grey ? [samples[0]] : samples
        }
    }

    /// A decode at a scale in eighths.
    static func job(_ file: [UInt8], eighths: Int, cancellation: CancellationCheck = .never) throws -> DecodeJob {
        let header = try ImageHeader(of: ImageInput(file))
        let size = (header.info.width * eighths / 8, header.info.height * eighths / 8)
        return DecodeJob(
            input: ImageInput(file), header: header, minimumSize: (max(1, size.0), max(1, size.1)),
            limits: ImageLimits(), watchdog: DecodeWatchdog(cancellation, seconds: 60))
    }

    /// Returns a copy with one to three wrong bytes, sometimes truncated, or `nil` if its header is large or unusable.
    static func damaged(_ file: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
        var damaged = file
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            damaged[Int.random(in: 2..<file.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            damaged.removeLast(.random(in: 0..<file.count / 2, using: &random))
        }
        guard let info = try? ImageHeader(of: ImageInput(damaged)).info, info.width < 500, info.height < 500 else {
            return nil
        }
        return damaged
    }
}

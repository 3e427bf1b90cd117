// SPDX-License-Identifier: MIT

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
    static func damaged(_ file: [UInt8], _ dice: inout DamageDice) -> [UInt8]? {
        var damaged = file
        for _ in 0...dice.next(2) { damaged[2 + dice.next(file.count - 2)] = UInt8(dice.next(256)) }
        if dice.next(4) == 0 { damaged.removeLast(dice.next(file.count / 2)) }
        guard let info = try? ImageHeader(of: ImageInput(damaged)).info, info.width < 500, info.height < 500 else {
            return nil
        }
        return damaged
    }
}

/// Numbers that say where and how to damage a file, the same in every run.
struct DamageDice {
    private var state: UInt64 = 1

    /// Returns a number below `count`.
    mutating func next(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}

// SPDX-License-Identifier: MIT

internal import Foundation
internal import SluiceImaging

/// Writes small valid images as seeds for machines without a corpus; text has its seeds in the repository.
enum SeedFiles {
    static func write(for target: FuzzTarget, into folder: String) throws {
        let formats = ImageFormat.encodable.filter { format in
            switch target {
            case .probe: true
            case .codec(let wanted): wanted == format
            case .text: false
            }
        }
        for (number, encoder) in formats.flatMap(encoders).enumerated() {
            for (width, height) in [(1, 1), (33, 17)] {
                let file = try encoder.encode(pixels(width, height), width: width, height: height)
                let name = "made-\(number)-\(width).\(encoder.format.fileExtension)"
                try Data(file).write(to: URL(filePath: folder).appending(path: name))
            }
        }
    }

    /// Returns encoders for each variant that Sluice writes.
    private static func encoders(of format: ImageFormat) -> [ImageEncoder] {
        var kinds = [ImageEncoder](repeating: ImageEncoder(format), count: 4)
        kinds[1].isProgressive = true
        kinds[1].isLossless = true
        kinds[2].subsampling = .full
        kinds[2].orientation = 6
        kinds[3].keepsAlpha = false
        return kinds
    }

    private static func pixels(_ width: Int, _ height: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        for pixel in 0..<width * height {
            pixels += [pixel, pixel / width * 7, pixel * 37, pixel * 3].map { UInt8($0 % 256) }
        }
        return pixels
    }
}

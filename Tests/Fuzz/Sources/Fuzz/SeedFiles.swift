// SPDX-License-Identifier: MIT

internal import Foundation

@testable internal import SluiceImaging

/// Writes small valid images as seeds for machines without a corpus; text has its seeds in the repository.
enum SeedFiles {
    static func write(for target: FuzzTarget, into folder: String) throws {
        if case .encoder = target { return try writeOptions(into: folder) }
        if case .text(let parser) = target { return try writeChoices(for: parser, into: folder) }
        let codecs = Codecs.all.filter { codec in
            switch target {
            case .probe, .decoders: true
            case .raw: ImageFormat.rawPhotos.contains(codec.format)
            case .codec(let wanted): wanted == codec.format
            case .encoder, .text: false
            }
        }
        for codec in codecs {
            let files = ["test": codec.makeTestFile?(), "animated": try AnimatedSeeds.file(codec.format)]
            for (name, file) in files {
                guard let file else { continue }
                try Data(file).write(to: URL(filePath: folder).appending(path: "\(name).\(codec.format.fileExtension)"))
            }
        }
        let formats = codecs.filter { $0.encoder != nil }.map(\.format)
        for (number, encoder) in formats.flatMap(encoders).enumerated() {
            for (width, height) in [(1, 1), (33, 17)] {
                let file = try encoder.encode(pixels(width, height), width: width, height: height)
                let name = "made-\(number)-\(width).\(encoder.format.fileExtension)"
                try Data(file).write(to: URL(filePath: folder).appending(path: name))
            }
        }
    }

    /// Writes inputs of a generator: sequences of choices, of which short ones change little.
    private static func writeChoices(for parser: TextParser, into folder: String) throws {
        guard TextParser.forgeries.contains(where: { $0.name == parser.name }) else { return }
        var state: UInt32 = 1
        for number in 0..<200 {
            let bytes = (0..<(8 + number * 3)).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
            try Data(bytes).write(to: URL(filePath: folder).appending(path: "choices-\(number)"))
        }
    }

    /// Writes inputs of an encoder's target: different options, with a valid colour profile and EXIF block.
    private static func writeOptions(into folder: String) throws {
        let exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x3B, 0, 2, 0, 0, 0, 3, 65, 66, 0, 0, 0, 0, 0, 0]
        for number in 0..<16 {
            let options = (0..<EncoderInput.optionBytes).map { UInt8((number * 29 + $0 * 11) % 256) }
            let isEXIF = options[2] & 4 == 4
            let file = options + (isEXIF ? exif : ProfileSeed.profile(isGrey: options[2] & 1 == 1))
            try Data(file).write(to: URL(filePath: folder).appending(path: "options-\(number)"))
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

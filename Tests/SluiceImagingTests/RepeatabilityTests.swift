// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Fault D13: the same file and options give the same bytes, also under concurrency.
@Suite("Repeatability", .timeLimit(.minutes(10))) struct RepeatabilityTests {
    /// Makes images that cover every path through the scalers; some share weights or profiles.
    static func files() throws -> [[UInt8]] {
        let image = SampleImages.make(300, 200, .rgb) { x, y in
            [UInt8(x * y % 256), UInt8((x + y) % 256), UInt8(x % 256)]
        }
        let glass = SampleImages.make(300, 200, .rgba) { x, y in [UInt8(x % 256), UInt8(y), 90, UInt8((x + y) % 256)] }
        let grey = SampleImages.make(200, 300, .grey) { x, y in [UInt8((x * 3 + y) % 256)] }
        return [
            try SampleImages.file(.jpeg, image), try SampleImages.file(.jpeg, image, progressive: true),
            try SampleImages.file(.png, glass), try SampleImages.file(.webp, glass), try SampleImages.file(.jpeg, grey),
            try SampleImages.file(.png, grey), try SampleImages.file(.webp, image),
        ]
    }

    static let options = ImageFormat.encodable.map { ThumbnailOptions.Format.fixed($0) }.flatMap { format in
        [false, true].map { isLinear in
            var options = ThumbnailOptions()
            options.sizes = [64, 30, 150].map { ThumbnailSize(width: $0, height: $0) }
            options.format = format
            options.isLinear = isLinear
            return options
        }
    }

    @Test("Concurrent threads with a shared thumbnailer get the same results as alone", arguments: options)
    func threads(options: ThumbnailOptions) async throws {
        let files = try Self.files()
        let alone = try files.map { try Thumbnailer(options).thumbnails(of: $0) }
        let shared = Thumbnailer(options)
        try await withThrowingTaskGroup(of: (Int, ThumbnailResult).self) { group in
            for turn in 0..<4 {
                for place in files.indices {
                    let file = (place + turn) % files.count
                    group.addTask { (file, try shared.thumbnails(of: files[file])) }
                }
            }
            for try await (file, result) in group { #expect(result == alone[file], "file \(file)") }
        }
    }
}

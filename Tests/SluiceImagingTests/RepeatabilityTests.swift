// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Row D13 of the faults: the same file and options give the same bytes, whoever asks and beside whom.
@Suite("Repeatability", .timeLimit(.minutes(10))) struct RepeatabilityTests {
    /// Pictures of every way through the scalers, some of which share their weights and their profile.
    static func files() throws -> [[UInt8]] {
        let picture = Pictures.make(300, 200, .rgb) { x, y in
            [UInt8(x * y % 256), UInt8((x + y) % 256), UInt8(x % 256)]
        }
        let glass = Pictures.make(300, 200, .rgba) { x, y in [UInt8(x % 256), UInt8(y), 90, UInt8((x + y) % 256)] }
        let grey = Pictures.make(200, 300, .grey) { x, y in [UInt8((x * 3 + y) % 256)] }
        return [
            try Pictures.file(.jpeg, picture), try Pictures.file(.jpeg, picture, progressive: true),
            try Pictures.file(.png, glass), try Pictures.file(.webp, glass), try Pictures.file(.jpeg, grey),
            try Pictures.file(.png, grey), try Pictures.file(.webp, picture),
        ]
    }

    static let options = [ThumbnailOptions.Format.jpeg, .png, .webp].flatMap { format in
        [false, true].map { isLinear in
            var options = ThumbnailOptions()
            options.sizes = [64, 30, 150].map { ThumbnailSize(width: $0, height: $0) }
            options.format = format
            options.isLinear = isLinear
            return options
        }
    }

    @Test("Many threads with one thumbnailer make what each picture's own makes alone", arguments: options)
    func threads(options: ThumbnailOptions) async throws {
        let files = try Self.files()
        let alone = try files.map { try Thumbnailer(options).thumbnails(of: $0) }
        let shared = Thumbnailer(options)
        try await withThrowingTaskGroup(of: (Int, PictureResult).self) { group in
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

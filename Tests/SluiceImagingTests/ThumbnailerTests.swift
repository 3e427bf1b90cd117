// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceImaging

@Suite("Thumbnailer", .timeLimit(.minutes(10))) struct ThumbnailerTests {
    @Test(
        "The same file gives the same bytes from memory and from disk",
        arguments: ImageFormat.encodable)
    func deterministic(format: ImageFormat) throws {
        let folder = TemporaryFolder()
        let file = try SampleImages.file(format, SampleImages.landscape(320, 200))
        try folder.write(file, to: "image")
        let handle = try FileHandle(forReadingFrom: folder.url.appending(path: "image"))
        let first = try Thumbnailer().thumbnails(of: file)
        #expect(try Thumbnailer().thumbnails(ofFileAt: handle.fileDescriptor) == first)
        #expect(try Thumbnailer().thumbnails(ofFileAt: handle.fileDescriptor) == first)
    }

    @Test("`auto` writes PNG for transparent images and JPEG for others")
    func auto() throws {
        func format(_ raster: Raster) throws -> ImageFormat? {
            try Thumbnailer().thumbnails(of: SampleImages.file(.png, raster)).thumbnails.first?.format
        }
        #expect(try format(SampleImages.landscape(9, 9)) == .jpeg)
        #expect(try format(SampleImages.plain(9, 9, .rgba, [1, 2, 3, 255])) == .jpeg)
        #expect(try format(SampleImages.plain(9, 9, .rgba, [1, 2, 3, 254])) == .png)
    }

    @Test("The dominant colour is a colour of the image")
    func color() throws {
        let image = SampleImages.make(60, 60, .rgb) { x, _ in x < 40 ? [0x20, 0x60, 0xA0] : [0xFF, 0xF0, 0x10] }
        #expect(try Thumbnailer().thumbnails(of: SampleImages.file(.png, image)).color == "#2060a0")
    }

    @Test("Without sizes, a file is only checked")
    func checkOnly() throws {
        var options = ThumbnailOptions()
        options.sizes = []
        let result = try Thumbnailer(options).thumbnails(of: SampleImages.file(.webp))
        #expect(result.thumbnails.isEmpty && result.color == nil && result.info.width == 24)
    }

    @Test("A shared thumbnailer gives every thread the same result for any number of profiles")
    func shared() async throws {
        let files = try (0..<20).map { number in
            let profile = HandmadeProfiles.rgb(red: [0.4 + Double(number) / 100, 0.22, 0.01])
            return try FilesWithMetadata.file(SampleImages.plain(8, 8, .rgb, [200, 60, 30]), .jpeg, profile)
        }
        let thumbnailer = Thumbnailer()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<80 {
                group.addTask {
                    let file = files[number % 20]
                    return try thumbnailer.thumbnails(of: file) == Thumbnailer().thumbnails(of: file)
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }

    @Test("A thumbnail contains no metadata")
    func noMetadata() throws {
        var encoder = ImageEncoder(.jpeg)
        encoder.orientation = 6
        let file = try encoder.encode(SampleImages.landscape(40, 40))
        #expect(try ImageInfo(bytes: file).orientation == 6)
        #expect(try ImageInfo(bytes: Thumbnailer().thumbnails(of: file).thumbnails[0].bytes).orientation == 1)
    }
}

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

@Suite("Imaging times", .timeLimit(.minutes(10))) struct PictureTimesTests {
    @Test("Decode, resample and encode times are measured without changing the result") func parts() throws {
        let file = try SampleImages.file(.jpeg, SampleImages.landscape(640, 400))
        let thumbnailer = Thumbnailer()
        var times = ImagingTimes()
        let start = ContinuousClock.now
        let result = try thumbnailer.thumbnails(of: thumbnailer.open(ImageInput(file)), timing: &times)
        let whole = ContinuousClock.now - start
        #expect(times.decode > .zero && times.resample > .zero && times.encode > .zero)
        // Scaling time is extrapolated from some rows and may be overestimated.
        #expect(times.decode + times.encode <= whole)
        #expect(try thumbnailer.thumbnails(of: file) == result)
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Scans of progressive JPEGs that a smaller image does not need.
@Suite("Scans", .timeLimit(.minutes(10))) struct ScanTests {
    static let image = SampleImages.make(320, 240, .rgb) { x, y in
        [UInt8((x * y / 90) % 256), UInt8((x + y * 2) / 2 % 256), UInt8((x * x / 300 + y) % 256)]
    }

    private static func thumbnail(
        _ file: [UInt8], _ side: Int, _ mode: ThumbnailOptions.QualityMode = .good
    ) throws(ImagingError) -> [UInt8] {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: side, height: side)]
        options.format = .png
        options.qualityMode = mode
        return try Thumbnailer(options).thumbnails(of: file).thumbnails[0].bytes
    }

    @Test(
        "A good thumbnail of a progressive JPEG equals that of a baseline one at every scale",
        arguments: [16, 30, 60, 150])
    func good(side: Int) throws {
        for subsampling in ThumbnailOptions.Subsampling.allCases {
            var encoder = ImageEncoder(.jpeg)
            encoder.subsampling = subsampling
            let plain = try encoder.encode(Self.image)
            encoder.isProgressive = true
            let progressive = try encoder.encode(Self.image)
            #expect(try Self.thumbnail(progressive, side) == Self.thumbnail(plain, side), "\(subsampling)")
        }
    }

    @Test("AC scans are skipped at an eighth, and the last luma bits for speed")
    func idle() throws {
        let file = try SampleImages.file(.jpeg, Self.image, progressive: true)
        let scans = try JPEGScans(ImageInput(file), watchdog: DecodeWatchdog(.never, seconds: 60))
        // libjpeg writes ten scans, four of which hold luma's AC coefficients.
        #expect(scans.skippableRanges(eighths: 1, prefersSpeed: false).count == 4)
        #expect(
            scans.skippableRanges(eighths: 2, prefersSpeed: false).isEmpty
                && scans.skippableRanges(eighths: 8, prefersSpeed: true).isEmpty)
        let last = try #require(scans.skippableRanges(eighths: 4, prefersSpeed: true).first)
        #expect(scans.skippableRanges(eighths: 4, prefersSpeed: true).count == 1 && last.upperBound == file.count - 2)
        #expect(file[last.lowerBound..<last.lowerBound + 2] == [0xFF, 0xDA])
        // Decoding with a skipped scan equals decoding a file without it.
        let without = Array(file[..<last.lowerBound] + file[last.upperBound...])
        #expect(try Self.thumbnail(file, 100, .fast) == Self.thumbnail(without, 100, .fast))
        #expect(try Self.thumbnail(file, 100, .fast) != Self.thumbnail(file, 100, .exact))
    }

    @Test(
        "A file that ends inside a skipped scan is truncated",
        arguments: [ThumbnailOptions.QualityMode.fast, .good])
    func truncated(mode: ThumbnailOptions.QualityMode) throws {
        let file = try SampleImages.file(.jpeg, Self.image, progressive: true)
        // Sides that lead to decodes at an eighth and at half of the size.
        for (side, count) in stride(from: file.count - 1, to: 0, by: -61).flatMap({ [(16, $0), (100, $0)] }) {
            let error = failure { () throws(ImagingError) in
                try Self.thumbnail(Array(file.prefix(count)), side, mode)
            }
            #expect(error?.code == .truncated, "\(count) of \(file.count) bytes at \(side)")
        }
    }
}

@Suite("Subsampling", .timeLimit(.minutes(10))) struct SubsamplingTests {
    @Test(
        "Every subsampling decodes correctly at full size and shrunk",
        arguments: [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2)] as [(Int32, Int32)])
    func decoding(across: Int32, down: Int32) throws {
        let image = SampleImages.landscape(403, 301)
        let file = CustomJPEGs.file(image, across: across, down: down)
        #expect(try Self.sampling(of: file) == [UInt8(across << 4 | down), 0x11, 0x11])
        #expect(try decode(file).distance(to: image) <= 8)
        for mode in ThumbnailOptions.QualityMode.allCases {
            let made = try ColorTests.thumbnail(file) {
                $0.sizes = [ThumbnailSize(width: 50, height: 50)]
                $0.qualityMode = mode
            }
            let small = try decode(made.file)
            #expect(small.width == 50 && small.distance(to: image.scaled(to: small.width, small.height)) <= 8)
        }
    }

    @Test(
        "JPEGs are written with the requested subsampling",
        arguments: [(.half, 0x22), (.columns, 0x21), (.full, 0x11)] as [(ThumbnailOptions.Subsampling, UInt8)])
    func encoding(subsampling: ThumbnailOptions.Subsampling, factors: UInt8) throws {
        // Columns alternate between red and blue, so that a colour shared by two columns is neither.
        let image = SampleImages.make(64, 64, .rgb) { x, _ in x % 2 == 0 ? [220, 30, 30] : [30, 30, 220] }
        let made = try ColorTests.thumbnail(SampleImages.file(.png, image)) {
            $0.format = .jpeg
            $0.quality = 95
            $0.subsampling = subsampling
        }
        #expect(try Self.sampling(of: made.file) == [factors, 0x11, 0x11])
        #expect(try (decode(made.file).distance(to: image) < 30) == (subsampling == .full))
        let rows = SampleImages.make(64, 64, .rgb) { _, y in y % 2 == 0 ? [220, 30, 30] : [30, 30, 220] }
        let madeOfRows = try ColorTests.thumbnail(SampleImages.file(.png, rows)) {
            $0.format = .jpeg
            $0.quality = 95
            $0.subsampling = subsampling
        }
        #expect(try (decode(madeOfRows.file).distance(to: rows) < 30) == (subsampling != .half))
        let grey = try ColorTests.thumbnail(SampleImages.file(.png, ColorTests.greys)) {
            $0.format = .jpeg
            $0.subsampling = subsampling
        }
        #expect(try Self.sampling(of: grey.file) == [0x11])
    }

    @Test("A CMYK JPEG is converted by its profile, or by simple arithmetic without one")
    func inks() throws {
        let inks = SampleImages.make(64, 48, .cmyk) { x, y in
            [UInt8(x * 4), UInt8(y * 5), UInt8(255 - x * 2), UInt8(255 - y * 3)]
        }
        let file = CustomJPEGs.file(inks)
        #expect(try ImageInfo(bytes: file).colorModel == .cmyk)
        let stored = try decode(file)
        let plain = try ColorTests.thumbnail(file)
        #expect(try decode(plain.file) == stored.cmykAsRGB && plain.notes.isEmpty)
        for profile in ThumbnailOptions.Profile.allCases {
            let made = try ColorTests.thumbnail(FilesWithMetadata.file(of: file, inks, .jpeg, LCMSProfiles.cmyk)) {
                $0.profile = profile
            }
            let image = try decode(made.file)
            let truth = LCMSProfiles.truth(stored, LCMSProfiles.cmyk)
            let worst = try #require(zip(image.bytes, truth).map { abs(Double($0) - $1) }.max())
            #expect(profile == .strip ? image == stored.cmykAsRGB : worst <= 2)
            #expect(made.notes.count == (profile == .keep ? 1 : 0))
        }
    }

    @Test("A CMYK JPEG without Adobe's marker is read as one with it")
    func inksWithoutMarker() throws {
        // Pillow, libvips and Chromium agree. Such files had inverted colours.
        let file = CustomJPEGs.file(
            SampleImages.make(16, 16, .cmyk) { x, y in [UInt8(x * 17), UInt8(y * 17), 90, 200] })
        let marker = try #require(file.firstRange(of: [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8)))
        let plain = Array(file[..<marker.lowerBound] + file[(marker.lowerBound + 16)...])
        #expect(try ImageInfo(bytes: plain).colorModel == .cmyk)
        #expect(try decode(plain) == decode(file))
    }

    /// Returns the sampling factors in a JPEG's frame header, per component.
    private static func sampling(of file: [UInt8]) throws -> [UInt8] {
        var window = ByteWindow(ImageInput(file))
        var segments = JPEGSegments()
        while let segment = try segments.next(in: &window) {
            guard segment.marker == 0xC0 else { continue }
            let body = Array(try window.bytes(segment.body))
            return (0..<Int(body[5])).map { body[7 + $0 * 3] }
        }
        return []
    }
}

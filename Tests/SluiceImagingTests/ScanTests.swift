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

// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Scans of progressive JPEGs that a smaller picture does not need.
@Suite("Scans", .timeLimit(.minutes(10))) struct ScanTests {
    static let picture = Pictures.make(320, 240, .rgb) { x, y in
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
        "A good thumbnail of a progressive picture is that of the plain one, at every scale",
        arguments: [16, 30, 60, 150])
    func good(side: Int) throws {
        for subsampling in ThumbnailOptions.Subsampling.allCases {
            var encoder = PictureEncoder(.jpeg)
            encoder.subsampling = subsampling
            let plain = try encoder.encode(Self.picture)
            encoder.isProgressive = true
            let progressive = try encoder.encode(Self.picture)
            #expect(try Self.thumbnail(progressive, side) == Self.thumbnail(plain, side), "\(subsampling)")
        }
    }

    @Test("At an eighth what is finer than a block is left out, and for speed the last bits of luma")
    func idle() throws {
        let file = try Pictures.file(.jpeg, Self.picture, progressive: true)
        let scans = try JPEGScans(PictureBytes(file), watch: Watch(.never, seconds: 60))
        // libjpeg writes ten scans, of which four are luma's finer ones.
        #expect(scans.idle(eighths: 1, isFast: false).count == 4)
        #expect(scans.idle(eighths: 2, isFast: false).isEmpty && scans.idle(eighths: 8, isFast: true).isEmpty)
        let last = try #require(scans.idle(eighths: 4, isFast: true).first)
        #expect(scans.idle(eighths: 4, isFast: true).count == 1 && last.upperBound == file.count - 2)
        #expect(file[last.lowerBound..<last.lowerBound + 2] == [0xFF, 0xDA])
        // A picture without the scan is one that says nothing of it.
        let without = Array(file[..<last.lowerBound] + file[last.upperBound...])
        #expect(try Self.thumbnail(file, 100, .fast) == Self.thumbnail(without, 100, .fast))
        #expect(try Self.thumbnail(file, 100, .fast) != Self.thumbnail(file, 100, .exact))
    }

    @Test(
        "A file that ends within a scan that is left out is truncated",
        arguments: [ThumbnailOptions.QualityMode.fast, .good])
    func truncated(mode: ThumbnailOptions.QualityMode) throws {
        let file = try Pictures.file(.jpeg, Self.picture, progressive: true)
        // At an eighth of the size, and at half of it.
        for (side, count) in stride(from: file.count - 1, to: 0, by: -61).flatMap({ [(16, $0), (100, $0)] }) {
            let error = failure { () throws(ImagingError) in
                try Self.thumbnail(Array(file.prefix(count)), side, mode)
            }
            #expect(error?.code == .truncated, "\(count) of \(file.count) bytes at \(side)")
        }
    }
}

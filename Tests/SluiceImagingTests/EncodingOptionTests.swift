// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Encoding options", .timeLimit(.minutes(10))) struct EncodingOptionTests {
    /// An image with much detail, so that qualities differ in size.
    static let busy = SampleImages.make(120, 90, .rgb) { x, y in
        [UInt8((x * x + y * 7) % 256), UInt8((x * 3 ^ y * 5) % 256), UInt8((x * y) % 256)]
    }

    static func result(
        _ image: Raster = busy, _ change: (inout ThumbnailOptions) -> Void
    ) throws -> ThumbnailResult {
        var options = ThumbnailOptions()
        change(&options)
        return try Thumbnailer(options).thumbnails(of: ImageEncoder(.png).encode(image))
    }

    @Test("JPEGs are progressive or without subsampling only on request")
    func jpeg() throws {
        let plain = try #require(try Self.result { _ in }.thumbnails.first).bytes
        var encoder = ImageEncoder(.jpeg)
        #expect(plain == (try encoder.encode(Self.busy)))
        #expect(try !ImageInfo(bytes: plain).isProgressive)
        let progressive = try #require(try Self.result { $0.isProgressive = true }.thumbnails.first).bytes
        #expect(try ImageInfo(bytes: progressive).isProgressive)
        #expect(try decode(progressive) == decode(plain))
        let full = try #require(try Self.result { $0.subsampling = .full }.thumbnails.first).bytes
        encoder.subsampling = .full
        #expect(full == (try encoder.encode(Self.busy)) && full.count > plain.count)
    }

    @Test(
        "A lossless file equals the image", arguments: [ThumbnailOptions.Format.webp, .avif],
        [PixelLayout.grey, .rgb, .rgba])
    func lossless(format: ThumbnailOptions.Format, layout: PixelLayout) throws {
        let image = SampleImages.make(40, 30, layout) { x, y in
            [UInt8(x * 6), UInt8(y * 8), UInt8((x * y) % 256), UInt8(x + 1)].suffix(layout.channels)
        }
        let made = try Self.result(image) {
            $0.format = format
            $0.isLossless = true
        }
        let wanted = layout == .grey && format == .webp ? image.expanded(to: .rgb) : image
        #expect(try decode(made.thumbnails[0].bytes) == wanted)
        let lossy = try Self.result(image) { $0.format = format }
        #expect(lossy.thumbnails[0].bytes != made.thumbnails[0].bytes)
    }

    @Test("The best quality within a byte limit is found", arguments: ImageFormat.encodable.filter(\.hasQuality))
    func limit(format: ImageFormat) throws {
        func made(_ limit: Int?, quality: Int = 80) throws -> ThumbnailResult {
            try Self.result {
                $0.format = .fixed(format)
                $0.quality = quality
                $0.maxBytes = limit
            }
        }
        let sizes = try (1...80).map { try made(nil, quality: $0).thumbnails[0].bytes.count }
        for limit in [sizes[79], sizes[79] - 1, sizes[40], sizes[9] + 3, sizes[0]] {
            let result = try made(limit)
            let count = result.thumbnails[0].bytes.count
            #expect(count <= limit && result.notes.isEmpty)
            let best = try #require(sizes.lastIndex { $0 <= limit })
            // Sizes grow with quality almost always, so a small deviation is acceptable.
            let found = try #require(sizes.lastIndex(of: count))
            #expect(best - found <= 2, "\(found + 1) instead of \(best + 1)")
            #expect(try made(limit) == result)
        }
        let least = try #require(sizes.min())
        let over = try made(least / 2)
        #expect(over.thumbnails[0].bytes.count == sizes[0])
        #expect(over.notes == ["thumbnail 256 has \(sizes[0]) bytes (limit \(least / 2))"])
    }

    @Test("A format without quality setting exceeds the limit with a note")
    func noQualities() throws {
        let result = try Self.result {
            $0.format = .png
            $0.maxBytes = 100
        }
        #expect(result.thumbnails[0].bytes.count > 100 && result.notes.count == 1)
    }
}

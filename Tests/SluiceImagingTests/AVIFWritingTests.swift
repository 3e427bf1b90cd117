// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Writing AVIF", .timeLimit(.minutes(10))) struct AVIFWritingTests {
    @Test("Colours, grey and transparency survive", arguments: [PixelLayout.rgb, .rgba, .grey, .greyAlpha])
    func layouts(layout: PixelLayout) throws {
        let image = SampleImages.make(64, 48, layout) { x, y in
            let color = layout.channels > 2 ? [UInt8(x * 4), UInt8(y * 5), UInt8(255 - x * 3)] : [UInt8(x * 2 + y * 2)]
            return color + (layout.hasAlpha ? [UInt8(x < 32 ? 255 : 100 + y * 3)] : [])
        }
        var encoder = ImageEncoder(.avif)
        encoder.quality = 95
        let decoded = try decode(encoder.encode(image))
        #expect(decoded.layout == (layout == .greyAlpha ? .rgba : layout))
        #expect(decoded.distance(to: image.expanded(to: decoded.layout)) <= 16)
    }

    @Test("A higher quality is closer to the image and takes more bytes")
    func qualities() throws {
        let made = try [20, 50, 80, 95].map { quality in
            var encoder = ImageEncoder(.avif)
            encoder.quality = quality
            return try encoder.encode(EncodingOptionTests.busy)
        }
        #expect(made.map(\.count) == made.map(\.count).sorted() && made[0].count * 2 < made[3].count)
        let errors = try made.map { file in
            try zip(decode(file).bytes, EncodingOptionTests.busy.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        #expect(errors == errors.sorted(by: >))
    }

    @Test("Quantizers fall with the quality, from the coarsest to lossless")
    func quantizers() {
        let all = (1...100).map { AVIFQuality.quantizer(forQuality: $0) }
        #expect(all == all.sorted(by: >) && all[0] == 63 && all[79] == 22 && all[99] == 0)
    }

    @Test("A lower speed gives another file, and each speed the same one again")
    func speeds() throws {
        let files = try [10, 10, 2].map { speed in
            try EncodingOptionTests.result {
                $0.format = .avif
                $0.speed = speed
            }.thumbnails[0].bytes
        }
        #expect(files[0] == files[1] && files[0] != files[2])
    }

    @Test("The orientation turns the pixels, because readers of AVIF ignore EXIF's", arguments: 1...8)
    func orientation(number: Int) throws {
        let image = SampleImages.quarters(48, 32)
        var encoder = ImageEncoder(.avif)
        (encoder.orientation, encoder.quality, encoder.subsampling) = (number, 95, .full)
        let file = try encoder.encode(image)
        #expect(try ImageInfo(bytes: file).orientation == 1)
        #expect(try decode(file).distance(to: image.upright(from: number)) <= 60)
    }
}

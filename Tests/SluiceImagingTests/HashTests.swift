// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Hashes", .timeLimit(.minutes(10))) struct HashTests {
    static let images: [String: Raster] = [
        "wide": SampleImages.landscape(60, 40), "high": SampleImages.landscape(30, 90),
        "waves": SampleImages.make(64, 48, .rgb) { x, y in [UInt8(x * 3), UInt8((y * 5 + x) % 256), UInt8(x * y % 256)]
        },
        "transparent": SampleImages.make(40, 40, .rgba) { x, y in
            [UInt8(x * 6), UInt8(y * 6), 128, UInt8((x * x + y * y) % 256)]
        },
        "grey": SampleImages.make(50, 20, .grey) { x, y in [UInt8((x * 5 + y * x) % 256)] },
    ]

    /// The expected values come from the algorithm's JavaScript implementation for the same pixels.
    @Test(
        "A ThumbHash equals the published algorithm's result",
        arguments: [
            ("wide", "H/gNZZqAh4eFiIiIiHiIeIhwCPh4"), ("high", "3wcOghqAhoh4h4iHhnAI+Hg="),
            ("waves", "3LcJHZJgdndRd3iUd4iGhaByB+i6"),
            ("transparent", "ngeGHQwHgIeAiIh4iICACPh4AkISMiAjQw=="), ("grey", "HQgKA4ABMlRWdXl2AAAAAAA="),
        ])
    func published(image: String, hash: String) throws {
        #expect(ThumbHash(of: try #require(Self.images[image])).text == hash)
    }

    @Test("A ThumbHash encodes mean colour and shape at every size")
    func meanColor() throws {
        for (width, height) in [(400, 200), (90, 45), (4, 2)] {
            let hash = ThumbHash(of: SampleImages.plain(width, height, .rgb, [200, 100, 50])).bytes
            let head = hash[0..<3].reversed().reduce(0) { $0 << 8 | Int($1) }
            let light = Double(head & 63) / 63
            let yellow = Double(head >> 6 & 63) / 31.5 - 1
            let red = Double(head >> 12 & 63) / 31.5 - 1
            let blue = light - 2 / 3 * yellow
            #expect(abs((3 * light - blue + red) / 2 - 200 / 255) < 0.04)
            #expect(abs((3 * light - blue - red) / 2 - 100 / 255) < 0.04)
            #expect(abs(blue - 50 / 255) < 0.04)
            // The number of vertical frequencies, and the bit for wide images.
            #expect(hash[3] & 7 == 4 && hash[4] >> 7 == 1)
        }
    }

    /// The expected values come from SciPy's transform and NumPy's median.
    @Test("A perceptual hash equals the usual pHash")
    func phash() {
        let wavy = SampleImages.make(32, 32, .grey) { x, y in [UInt8((x * x + y * 37 + x * y) % 256)] }
        #expect(PerceptualHash(of: wavy).text == "ce57074f2f860e07")
        let blocks = SampleImages.make(32, 32, .grey) { x, y in [UInt8((x / 5 * 40 + y / 3 * 17) % 256)] }
        #expect(PerceptualHash(of: blocks).text == "85152749da36a9af")
        #expect(PerceptualHash(of: SampleImages.plain(70, 50, .rgb, [9, 9, 9])).text == "8000000000000000")
    }

    @Test("Copies of an image have similar hashes, and other images do not")
    func likeness() throws {
        let images = (1...6).map { Self.scene(seed: $0) }
        let hashes = images.map { PerceptualHash(of: $0).bits }
        for (image, hash) in zip(images, hashes) {
            for (side, quality) in [(200, 90), (97, 60), (64, 30)] {
                var options = ThumbnailOptions()
                options.sizes = [ThumbnailSize(width: side, height: side)]
                var encoder = ImageEncoder(.jpeg)
                encoder.quality = quality
                let result = try Thumbnailer(options).thumbnails(of: encoder.encode(image))
                let copy = try #require(result.phash.flatMap { UInt64($0, radix: 16) })
                #expect((copy ^ hash).nonzeroBitCount <= 8)
            }
        }
        for (place, hash) in hashes.enumerated() {
            for other in hashes[..<place] { #expect((hash ^ other).nonzeroBitCount >= 16) }
        }
    }

    /// Makes an image with discs of several colours on a gradient.
    private static func scene(seed: Int) -> Raster {
        let discs = (0..<9).map { disc in
            (0..<4).map { Self.noise(seed * 100 + disc * 10 + $0) }
        }
        return SampleImages.make(256, 192, .rgb) { x, y in
            let disc = discs.first { disc in
                let (dx, dy) = (x - disc[0], y - disc[1] * 3 / 4)
                return dx * dx + dy * dy < (15 + disc[2] / 6) * (15 + disc[2] / 6)
            }
            guard let disc else { return [UInt8(x / 2 + 40), UInt8(y), 90] }
            return [UInt8(disc[3]), UInt8(disc[2]), UInt8(255 - disc[3])]
        }
    }

    private static func noise(_ seed: Int) -> Int {
        let mixed = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        return Int(((mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9) >> 56)
    }
}

@Suite("Attention", .timeLimit(.minutes(1)))
struct AttentionTests {
    /// A picture with noise at its left, like leaves, and a smooth disc in a plain sky, or without the disc.
    private static func picture(disc: [UInt8]?, at centre: Int, _ width: Int = 240, _ height: Int = 80) -> Raster {
        SampleImages.make(width, height, .rgb) { x, y in
            let (right, down) = (x - centre, y - height / 2)
            if let disc, right * right + down * down < 400 { return disc }
            guard x < 90 else { return [150, 180, 220] }
            let noise = UInt8((x * 37 ^ y * 91 ^ x * y * 13) % 60)
            return [60 + noise, 90 + noise, 50 + noise]
        }
    }

    private static func turned(_ image: Raster) -> Raster {
        SampleImages.make(image.height, image.width, .rgb) { x, y in image.pixel(y, x).map(UInt8.init) }
    }

    @Test("A crop keeps a whole object, not noise that reaches the border", arguments: [120, 160, 200, 212])
    func object(centre: Int) {
        for colour: [UInt8] in [[200, 150, 115], [30, 40, 60], [230, 40, 40]] {
            let image = Self.picture(disc: colour, at: centre)
            let wide = AttentionMap(image).bestPart(80, 80)
            #expect(wide.x <= centre - 20 && wide.x + 80 >= centre + 20 && wide.y == 0, "\(colour): \(wide)")
            let high = AttentionMap(Self.turned(image)).bestPart(80, 80)
            #expect(high.y == wide.x && high.x == 0, "\(colour): \(high)")
        }
    }

    @Test("Of two equal objects, a crop keeps the one in a colour of skin")
    func warmth() {
        let image = SampleImages.make(240, 80, .rgb) { x, y in
            for (centre, colour) in [(40, [105, 140, 190] as [UInt8]), (200, [200, 150, 115])] {
                let (right, down) = (x - centre, y - 40)
                if right * right + down * down < 400 { return colour }
            }
            return [150, 150, 150]
        }
        #expect(AttentionMap(image).bestPart(80, 80).x >= 140)
    }

    @Test("Pictures of a few pixels, strips and plain pictures are cropped at their centre or their detail")
    func extremes() {
        let plain = SampleImages.plain(31, 11, .rgb, [90, 120, 60])
        #expect(AttentionMap(plain).bestPart(11, 11) == (10, 0))
        #expect(AttentionMap(plain).bestPart(31, 11) == (0, 0))
        let strip = SampleImages.make(200, 2, .grey) { x, _ in [x == 150 ? 255 : 0] }
        #expect((111...150).contains(AttentionMap(strip).bestPart(40, 2).x))
        #expect(AttentionMap(SampleImages.plain(1, 1, .grey, [7])).bestPart(1, 1) == (0, 0))
    }

    @Test("Barriers are the smallest ranges of values on ways to the border")
    func barriers() {
        // A ring of 5 around a cell of 3; its gap of 1 lets a way with a range of 3 through.
        let closed: [Double] = [
            0, 0, 0, 0, 0,
            0, 5, 5, 5, 0,
            0, 5, 3, 5, 0,
            0, 5, 5, 5, 0,
            0, 0, 0, 0, 0,
        ]
        var open = closed
        open[7] = 1
        #expect(BarrierDistances(closed, columns: 5).values[12] == 5)
        #expect(BarrierDistances(open, columns: 5).values[12] == 3)
        #expect(BarrierDistances([1, 2, 3, 4], columns: 2).values == [0, 0, 0, 0])
    }
}

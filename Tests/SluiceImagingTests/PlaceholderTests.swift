// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Placeholders") struct PlaceholderTests {
    static let pictures: [String: Raster] = [
        "wide": Pictures.landscape(60, 40), "high": Pictures.landscape(30, 90),
        "waves": Pictures.make(64, 48, .rgb) { x, y in [UInt8(x * 3), UInt8((y * 5 + x) % 256), UInt8(x * y % 256)] },
        "transparent": Pictures.make(40, 40, .rgba) { x, y in
            [UInt8(x * 6), UInt8(y * 6), 128, UInt8((x * x + y * y) % 256)]
        },
        "grey": Pictures.make(50, 20, .grey) { x, y in [UInt8((x * 5 + y * x) % 256)] },
    ]

    /// What the algorithm's own JavaScript makes of the same pixels.
    @Test(
        "A ThumbHash is what the published algorithm makes",
        arguments: [
            ("wide", "H/gNZZqAh4eFiIiIiHiIeIhwCPh4"), ("high", "3wcOghqAhoh4h4iHhnAI+Hg="),
            ("waves", "3LcJHZJgdndRd3iUd4iGhaByB+i6"),
            ("transparent", "ngeGHQwHgIeAiIh4iICACPh4AkISMiAjQw=="), ("grey", "HQgKA4ABMlRWdXl2AAAAAAA="),
        ])
    func published(picture: String, hash: String) throws {
        #expect(ThumbHash(of: try #require(Self.pictures[picture])).text == hash)
    }

    @Test("A ThumbHash tells mean colour and shape, at every size")
    func meanColor() throws {
        for (width, height) in [(400, 200), (90, 45), (4, 2)] {
            let hash = ThumbHash(of: Pictures.plain(width, height, .rgb, [200, 100, 50])).bytes
            let head = hash[0..<3].reversed().reduce(0) { $0 << 8 | Int($1) }
            let light = Double(head & 63) / 63
            let yellow = Double(head >> 6 & 63) / 31.5 - 1
            let red = Double(head >> 12 & 63) / 31.5 - 1
            let blue = light - 2 / 3 * yellow
            #expect(abs((3 * light - blue + red) / 2 - 200 / 255) < 0.04)
            #expect(abs((3 * light - blue - red) / 2 - 100 / 255) < 0.04)
            #expect(abs(blue - 50 / 255) < 0.04)
            // The number of waves down, and the bit that says the picture is wide.
            #expect(hash[3] & 7 == 4 && hash[4] >> 7 == 1)
        }
    }

    /// Values of SciPy's transform and NumPy's median.
    @Test("A perceptual hash is what pHash is elsewhere")
    func phash() {
        let wavy = Pictures.make(32, 32, .grey) { x, y in [UInt8((x * x + y * 37 + x * y) % 256)] }
        #expect(PerceptualHash(of: wavy).text == "ce57074f2f860e07")
        let blocks = Pictures.make(32, 32, .grey) { x, y in [UInt8((x / 5 * 40 + y / 3 * 17) % 256)] }
        #expect(PerceptualHash(of: blocks).text == "85152749da36a9af")
        #expect(PerceptualHash(of: Pictures.plain(70, 50, .rgb, [9, 9, 9])).text == "8000000000000000")
    }

    @Test("Copies of a picture have near hashes, other pictures far ones")
    func likeness() throws {
        let pictures = (1...6).map { Self.scene(seed: $0) }
        let hashes = pictures.map { PerceptualHash(of: $0).bits }
        for (picture, hash) in zip(pictures, hashes) {
            for (side, quality) in [(200, 90), (97, 60), (64, 30)] {
                var options = ThumbnailOptions()
                options.sizes = [ThumbnailSize(width: side, height: side)]
                var encoder = PictureEncoder(.jpeg)
                encoder.quality = quality
                let result = try Thumbnailer(options).thumbnails(of: encoder.encode(picture))
                let copy = try #require(result.phash.flatMap { UInt64($0, radix: 16) })
                #expect((copy ^ hash).nonzeroBitCount <= 8)
            }
        }
        for (place, hash) in hashes.enumerated() {
            for other in hashes[..<place] { #expect((hash ^ other).nonzeroBitCount >= 16) }
        }
    }

    /// Some discs of several colours on a ground that grows lighter.
    private static func scene(seed: Int) -> Raster {
        let discs = (0..<9).map { disc in
            (0..<4).map { Self.noise(seed * 100 + disc * 10 + $0) }
        }
        return Pictures.make(256, 192, .rgb) { x, y in
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

// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

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

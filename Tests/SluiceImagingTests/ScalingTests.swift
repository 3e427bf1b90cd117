// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Scaling", .timeLimit(.minutes(10))) struct ScalingTests {
    typealias Case = (size: String, fit: ThumbnailOptions.Fit, width: Int, height: Int)

    static let cases: [Case] = [
        ("20", .inside, 20, 13), ("x10", .inside, 15, 10), ("30x", .inside, 30, 20), ("400", .inside, 60, 40),
        ("20", .cover, 20, 20), ("10x30", .cover, 10, 30), ("20", .fill, 20, 20), ("90x10", .fill, 90, 10),
        ("80", .cover, 80, 80), ("1x1", .fill, 1, 1), ("20", .outside, 30, 20), ("30x10", .outside, 30, 20),
        ("x10", .outside, 15, 10), ("50", .outside, 60, 40),
    ]

    @Test("Sizes and fits give the requested dimensions", arguments: cases)
    func fits(size: String, fit: ThumbnailOptions.Fit, width: Int, height: Int) throws {
        var options = ThumbnailOptions()
        options.sizes = [try #require(ThumbnailSize(size))]
        options.fit = fit
        let result = try Thumbnailer(options).thumbnails(of: SampleImages.file(.jpeg, SampleImages.landscape(60, 40)))
        #expect(result.thumbnails[0].width == width && result.thumbnails[0].height == height)
        let decoded = try decode(result.thumbnails[0].bytes)
        #expect(decoded.width == width && decoded.height == height)
    }

    typealias Shrinking = (size: String, fit: ThumbnailOptions.Fit, width: Int, height: Int)

    static let shrinking: [Shrinking] = [
        // The picture has 60 x 40 pixels, and stays as it is from 60 (inside and pad) or 40 (the others) on.
        ("59", .pad, 59, 59), ("60", .pad, 60, 40), ("90", .pad, 60, 40), ("90", .inside, 60, 40),
        ("39", .cover, 39, 39), ("40", .cover, 60, 40), ("50", .cover, 60, 40), ("50", .outside, 60, 40),
        ("30x50", .cover, 60, 40), ("39", .fill, 39, 39), ("50", .fill, 60, 40), ("90x", .outside, 60, 40),
    ]

    @Test("Pictures that a size does not make smaller stay as they are on request", arguments: shrinking)
    func onlyShrinking(size: String, fit: ThumbnailOptions.Fit, width: Int, height: Int) throws {
        var options = ThumbnailOptions()
        options.sizes = [try #require(ThumbnailSize(size))]
        (options.fit, options.onlyShrinks, options.enlarges) = (fit, true, true)
        let result = try Thumbnailer(options).thumbnails(of: SampleImages.file(.jpeg, SampleImages.landscape(60, 40)))
        #expect(result.thumbnails[0].width == width && result.thumbnails[0].height == height)
    }

    @Test("Several sizes come from one decode, in the requested order")
    func several() throws {
        var options = ThumbnailOptions()
        options.sizes = [16, 64, 32].map { ThumbnailSize(width: $0, height: $0) }
        options.format = .png
        let result = try Thumbnailer(options).thumbnails(of: SampleImages.file(.png, SampleImages.landscape(128, 96)))
        #expect(result.thumbnails.map(\.width) == [16, 64, 32])
        for thumbnail in result.thumbnails {
            let truth = SampleImages.landscape(128, 96).scaled(to: thumbnail.width, thumbnail.height)
            #expect(try decode(thumbnail.bytes).distance(to: truth) <= 3)
        }
    }

    @Test("The inner loops agree with reference arithmetic", arguments: [PixelLayout.grey, .rgb, .cmyk])
    func truth(layout: PixelLayout) {
        let image = SampleImages.make(67, 45, layout) { x, y in
            (0..<layout.channels).map { UInt8((x * 37 + y * 91 + $0 * 53 + x * y) % 256) }
        }
        for (width, height) in [(67, 45), (31, 20), (5, 3), (100, 90), (1, 1)] {
            #expect(image.scaled(to: width, height).distance(to: ReferenceScaler.scale(image, to: width, height)) <= 1)
        }
    }

    @Test("Scaling to the same size changes nothing", arguments: [PixelLayout.grey, .rgb, .rgba])
    func identity(layout: PixelLayout) {
        let image = SampleImages.make(21, 13, layout) { x, y in
            [UInt8(x * 12), UInt8(y * 19), UInt8(x * y), 255].suffix(layout.channels)
        }
        #expect(image.scaled(to: 21, 13) == image)
    }

    @Test("Pixels of every opacity keep their colour")
    func exactAlpha() {
        let image = SampleImages.make(255, 3, .rgba) { x, y in [UInt8(x), 200, UInt8(y), UInt8(x + 1)] }
        #expect(image.scaled(to: 255, 3) == image)
    }

    @Test("The centre stays the centre", arguments: [ImageFormat.jpeg, .png])
    func centre(format: ImageFormat) throws {
        let image = SampleImages.make(640, 640, .rgb) { x, y in
            (300..<340).contains(x) && (300..<340).contains(y) ? [255, 255, 255] : [0, 0, 0]
        }
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 32, height: 32)]
        options.format = .png
        let thumbnail = try decode(
            Thumbnailer(options).thumbnails(of: SampleImages.file(format, image)).thumbnails[0].bytes)
        for y in 0..<32 {
            for x in 0..<16 {
                let pair = (thumbnail.pixel(x, y)[0], thumbnail.pixel(31 - x, 31 - y)[0])
                #expect(abs(pair.0 - pair.1) <= 2, "\(x),\(y)")
            }
        }
    }

    @Test("Transparent pixels do not affect visible colours")
    func alphaEdges() {
        let image = SampleImages.make(40, 40, .rgba) { x, _ in x < 21 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
        let small = image.scaled(to: 10, 10)
        for x in 0..<10 where small.pixel(x, 5)[3] > 0 {
            #expect(small.pixel(x, 5)[0] == 255 && small.pixel(x, 5)[1] == 0, "\(small.pixel(x, 5))")
        }
    }

    @Test("A very long image becomes its mean")
    func long() {
        let strip = SampleImages.make(1, 70_000, .grey) { _, y in [y % 2 == 0 ? 0 : 255] }
        #expect(abs(strip.scaled(to: 1, 1).pixel(0, 0)[0] - 127) <= 1)
    }

    @Test("A plain image stays plain at every size", arguments: [1, 7, 50, 99, 200])
    func even(side: Int) {
        let small = SampleImages.plain(99, 51, .rgb, [13, 130, 251]).scaled(to: side, side)
        #expect(small == SampleImages.plain(side, side, .rgb, [13, 130, 251]))
    }
}

extension Raster {
    /// Returns the image scaled by the library.
    func scaled(to width: Int, _ height: Int) -> Raster {
        let size = ThumbnailSize(width: width, height: height)
        let scaler = RowScaler(
            RowShape(width: self.width, height: self.height, layout: layout),
            geometry: ScaleGeometry(width: self.width, height: self.height, into: size, .fill), scale: (x: 1, y: 1))
        forEachRow { scaler.receive($0) }
        return scaler.raster
    }
}

/// A reference implementation of scaling: the same kernel in the simplest arithmetic.
enum ReferenceScaler {
    static func scale(_ image: Raster, to width: Int, _ height: Int) -> Raster {
        let samples = image.bytes.map(Double.init)
        let scaled = scale(samples, image.width, image.height, image.layout.channels, to: width, height)
        let bytes = scaled.map { UInt8(min(255, max(0, $0.rounded()))) }
        return Raster(width: width, height: height, layout: image.layout, bytes: bytes)
    }

    static func scale(
        _ samples: [Double], _ oldWidth: Int, _ oldHeight: Int, _ channels: Int, to width: Int, _ height: Int
    ) -> [Double] {
        var narrow = [Double](repeating: 0, count: width * oldHeight * channels)
        for x in 0..<width {
            for (from, weight) in weights(oldWidth, width, x) {
                for y in 0..<oldHeight {
                    for channel in 0..<channels {
                        narrow[(y * width + x) * channels + channel] +=
                            weight * samples[(y * oldWidth + from) * channels + channel]
                    }
                }
            }
        }
        return (0..<height).flatMap { y in
            let rows = weights(oldHeight, height, y)
            return (0..<width * channels).map { sample in
                rows.reduce(0) { $0 + $1.1 * narrow[$1.0 * width * channels + sample] }
            }
        }
    }

    private static func weights(_ source: Int, _ target: Int, _ place: Int) -> [(Int, Double)] {
        let step = Double(source) / Double(target)
        let scale = max(1, step)
        let centre = (Double(place) + 0.5) * step
        var all = [Double](repeating: 0, count: source)
        ResamplingKernel.lanczos3.weigh(&all, count: source, from: 0.5 - centre, scale: scale)
        let sum = all.reduce(0, +)
        return all.enumerated().map { ($0.offset, $0.element / sum) }.filter { $0.1 != 0 }
    }
}

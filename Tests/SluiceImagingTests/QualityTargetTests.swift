// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Quality for a score", .timeLimit(.minutes(10))) struct QualityTargetTests {
    /// Rings that become finer, in changing colours.
    static let rings = SampleImages.make(256, 256, .rgb) { x, y in
        let phase = ((x * x + 2 * y * y) >> 7) & 255
        let ring = phase < 128 ? phase * 2 : (255 - phase) * 2
        return [UInt8(ring), UInt8((ring * 3 + x >> 1) / 4), UInt8(255 - (ring + y >> 1) / 2)]
    }

    /// Changes each sample of a pixel.
    static func changed(_ change: (_ sample: Int, _ x: Int, _ y: Int) -> Int) -> Raster {
        SampleImages.make(256, 256, .rgb) { x, y in
            let place = (y * 256 + x) * 3
            return rings.bytes[place..<place + 3].map { UInt8(min(max(change(Int($0), x, y), 0), 255)) }
        }
    }

    /// The scores of the versions, rounded, were computed with another program.
    @Test("Scores are those of SSIMULACRA 2, except for a few points")
    func scores() {
        for (step, wanted) in [(2, 94.9), (5, 86.2), (10, 59.1), (20, 58.0)] {
            let noisy = Self.changed { $0 + ($1 * 7919 + $2 * 104_729) % (2 * step + 1) - step }
            let score = VisualComparison.score(of: noisy, comparedWith: Self.rings)
            #expect(abs(score - wanted) < 3, "noise of \(step): \(score)")
        }
        for (step, wanted) in [(4, 95.1), (8, 90.9), (16, 78.7), (32, 44.7)] {
            let stepped = Self.changed { sample, _, _ in sample / step * step + step / 2 }
            let score = VisualComparison.score(of: stepped, comparedWith: Self.rings)
            #expect(abs(score - wanted) < 3, "steps of \(step): \(score)")
        }
        #expect(VisualComparison.score(of: Self.rings, comparedWith: Self.rings) > 99.9)
    }

    @Test("Pictures of any size and layout are comparable", arguments: [PixelLayout.grey, .greyAlpha, .rgb, .rgba])
    func layouts(layout: PixelLayout) {
        // The largest picture is compared in two parts, which does not depend on its layout.
        for (width, height) in [(32, 32), (33, 1000)] + (layout == .rgb ? [(2000, 700)] : []) {
            let picture = SampleImages.make(width, height, layout) { x, y in
                [UInt8((x * 5) % 256), UInt8((y * 3) % 256), UInt8((x + y) % 256), 255].suffix(layout.channels)
            }
            var version = picture
            #expect(VisualComparison.score(of: version, comparedWith: picture) > 99.9)
            for place in version.bytes.indices { version.bytes[place] &= 0xE0 }
            let score = VisualComparison.score(of: version, comparedWith: picture)
            #expect(score > -200 && score < 90, "\(width)x\(height): \(score)")
        }
    }

    @Test(
        "The result reaches the score, and a clearly lower quality does not",
        arguments: [ImageFormat.jpeg, .webp, .avif])
    func target(format: ImageFormat) throws {
        let picture = Self.rings.part(x: 64, y: 64, 128, 128)
        func score(of bytes: [UInt8]) throws -> Double {
            VisualComparison.score(of: try decode(bytes), comparedWith: picture)
        }
        var sizes: [Int] = []
        for target in [55, 70, 80] {
            let made = try EncodingOptionTests.result(picture) {
                ($0.format, $0.targetScore) = (.fixed(format), target)
                $0.subsampling = .full
            }.thumbnails[0].bytes
            #expect(try score(of: made) >= Double(target) - 0.5)
            sizes.append(made.count)
            // All qualities whose files are smaller by a fifth look worse than wanted.
            var encoder = ImageEncoder(format)
            encoder.subsampling = .full
            for quality in stride(from: 20, through: 95, by: 5) {
                encoder.quality = quality
                let bytes = try encoder.encode(picture)
                if bytes.count * 5 < made.count * 4 { #expect(try score(of: bytes) < Double(target) + 1.5) }
            }
        }
        #expect(sizes == sizes.sorted())
    }

    @Test("Formats without a quality, tiny pictures and lossless files ignore the score")
    func ignored() throws {
        func made(_ image: Raster, _ format: ImageFormat, _ score: Int?, isLossless: Bool = false) throws -> [UInt8] {
            try EncodingOptionTests.result(image) {
                ($0.format, $0.targetScore, $0.isLossless) = (.fixed(format), score, isLossless)
            }.thumbnails[0].bytes
        }
        let tiny = SampleImages.landscape(31, 200)
        #expect(try made(tiny, .jpeg, 30) == made(tiny, .jpeg, 90))
        #expect(try made(Self.rings, .png, 30) == made(Self.rings, .png, nil))
        #expect(try made(Self.rings, .webp, 30, isLossless: true) == made(Self.rings, .webp, nil, isLossless: true))
        #expect(try made(Self.rings, .jpeg, 30) != made(Self.rings, .jpeg, nil))
    }

    @Test("A limit on bytes holds also for the quality of a score")
    func limit() throws {
        func made(_ limit: Int?) throws -> ThumbnailResult {
            try EncodingOptionTests.result(Self.rings) {
                ($0.format, $0.targetScore, $0.maxBytes) = (.fixed(.jpeg), 80, limit)
            }
        }
        let free = try made(nil).thumbnails[0].bytes.count
        let limited = try made(free / 2)
        #expect(limited.thumbnails[0].bytes.count <= free / 2 && limited.notes.isEmpty)
    }

    /// Scores that depend on the quality in different ways; the search has to find those from `20` to `95`.
    @Test(
        "A search ends after three attempts, with a score near to the target if there is one",
        arguments: [40, 65, 80, 92], [-25.0, -10, -3, 0, 4, 12])
    func search(target: Int, offset: Double) throws {
        var settings = ImageEncoder(.jpeg)
        var search = QualitySearch(for: Double(target), with: settings)
        var qualities: [Int] = []
        func score(_ quality: Int) -> Double { 100 - 1800 / Double(quality + 10) + offset }
        while let quality = search.next {
            qualities.append(quality)
            settings.quality = quality
            search.add(
                QualitySearch.Attempt(
                    settings: settings, bytes: [UInt8](repeating: 0, count: quality), score: score(quality)))
        }
        #expect(qualities.count <= 3 && Set(qualities).count == qualities.count)
        #expect(qualities.allSatisfy { (20...95).contains($0) })
        let best = search.best
        if score(95) < Double(target) { #expect(best.settings.quality >= 90) }
        if score(20) > Double(target) { #expect(best.settings.quality == 20) }
        if score(20) <= Double(target), score(95) >= Double(target) {
            #expect(
                best.score >= Double(target) - 0.5 && best.score <= Double(target) + 6, "\(qualities) \(best.score)")
        }
    }

    @Test("A picture whose score does not depend on the quality ends the search")
    func constant() {
        var settings = ImageEncoder(.webp)
        var search = QualitySearch(for: 80, with: settings)
        var count = 0
        while let quality = search.next {
            count += 1
            settings.quality = quality
            search.add(QualitySearch.Attempt(settings: settings, bytes: [0], score: 60))
        }
        #expect(count <= 3 && search.best.score == 60)
    }
}

@Suite("Compact JPEGs", .timeLimit(.minutes(10))) struct CompactJPEGTests {
    private static func compact(
        _ image: Raster, _ quality: Int, _ subsampling: ThumbnailOptions.Subsampling = .half,
        isProgressive: Bool = false
    ) throws -> [UInt8] {
        var encoder = ImageEncoder(.jpeg)
        (encoder.isCompact, encoder.quality) = (true, quality)
        (encoder.subsampling, encoder.isProgressive) = (subsampling, isProgressive)
        return try encoder.encode(image)
    }

    @Test("Every machine writes the same bytes")
    func sameBytes() throws {
        let checksums = try [ThumbnailOptions.Subsampling.half, .full].map {
            try Self.compact(SampleImages.landscape(90, 70), 75, $0).reduce(UInt32(2_166_136_261)) {
                ($0 ^ UInt32($1)) &* 16_777_619
            }
        }
        #expect(checksums == [2_356_685_792, 3_688_910_420])
    }

    @Test("A file is smaller than libjpeg-turbo's and looks as good", arguments: [40, 60, 80, 90])
    func smaller(quality: Int) throws {
        for image in [SampleImages.landscape(320, 240), QualityTargetTests.rings] {
            var encoder = ImageEncoder(.jpeg)
            encoder.quality = quality
            let usual = try encoder.encode(image)
            let compact = try Self.compact(image, quality)
            #expect(compact.count * 100 < usual.count * 95, "\(compact.count) of \(usual.count)")
            let score = VisualComparison.score(of: try decode(compact), comparedWith: image)
            #expect(score > VisualComparison.score(of: try decode(usual), comparedWith: image) - 4)
        }
    }

    @Test(
        "Pictures of every size, layout and subsampling come back",
        arguments: [PixelLayout.grey, .rgb], ThumbnailOptions.Subsampling.allCases)
    func sizes(layout: PixelLayout, subsampling: ThumbnailOptions.Subsampling) throws {
        for side in [1, 7, 8, 9, 15, 16, 17, 33] {
            for quality in [1, 50, 100] {
                let image = SampleImages.make(side, 34 - side, layout) { x, y in
                    [UInt8(x * 7), UInt8(y * 7), UInt8(x + y)].suffix(layout.channels)
                }
                let isProgressive = quality == 50
                let file = try Self.compact(image, quality, subsampling, isProgressive: isProgressive)
                let version = try Raster(decoding: ImageInput(file)).expanded(to: layout)
                #expect((version.width, version.height) == (image.width, image.height))
                #expect(try ImageInfo(bytes: file).isProgressive || !isProgressive)
                if quality == 100 {
                    let distance = zip(version.bytes, image.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
                    #expect(distance <= (subsampling == .full || layout == .grey ? 3 : 20), "\(side): \(distance)")
                }
            }
        }
    }

    @Test("Noise and edges of the strongest contrast, whose coefficients are the largest, come back")
    func extremes() throws {
        var state: UInt32 = 1
        for step in [1, 255] {
            let image = SampleImages.make(40, 24, .rgb) { _, _ in
                (0..<3).map { _ in
                    state = state &* 1_664_525 &+ 1_013_904_223
                    return UInt8(state >> 24) / UInt8(step) * UInt8(step)
                }
            }
            let version = try decode(Self.compact(image, 100, .full))
            #expect(zip(version.bytes, image.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 3 })
        }
    }

    @Test("Speeds below the default are compact, and with a score also the default")
    func speeds() {
        for (speed, score, isCompact) in [(5, nil, true), (6, nil, false), (6, 70, true), (7, 70, false)] {
            var options = ThumbnailOptions()
            (options.speed, options.targetScore) = (speed, score)
            #expect(options.encoder(for: QualityTargetTests.rings, ImageMetadata()).isCompact == isCompact)
        }
    }

    @Test("With a score, the subsampling is chosen as well")
    func subsampling() throws {
        // Stripes of few pixels are lost if pixels share chroma.
        let stripes = SampleImages.make(128, 128, .rgb) { x, y in
            (x / 3 + y / 5) % 2 == 0 ? [200, 40, 60] : [60, 90, 200]
        }
        let grey = SampleImages.make(128, 128, .rgb) { x, y in [UInt8](repeating: UInt8((x * y / 16) % 256), count: 3) }
        for (image, isFull) in [(stripes, true), (grey, false)] {
            let made = try EncodingOptionTests.result(image) { ($0.format, $0.targetScore) = (.jpeg, 70) }
            let file = made.thumbnails[0].bytes
            let score = VisualComparison.score(of: try decode(file), comparedWith: image)
            #expect(score >= 69.5, "\(score)")
            let frame = try #require(file.indices.first { file[$0] == 0xFF && [0xC0, 0xC2].contains(file[$0 + 1]) })
            #expect((file[frame + 11] == 0x11) == isFull)
        }
    }
}

@Suite("Quality modes", .timeLimit(.minutes(10))) struct QualityModeTests {
    static let info = ImageInfo(format: .jpeg, width: 4000, height: 3000)

    @Test(
        "The decoded size is the thumbnail's, twice the thumbnail's, or the full size",
        arguments: [(ThumbnailOptions.QualityMode.fast, 256), (.good, 512), (.exact, 4000)])
    func wanted(mode: ThumbnailOptions.QualityMode, width: Int) {
        let geometry = ScaleGeometry(width: 4000, height: 3000, into: ThumbnailSize(width: 256, height: 256), .inside)
        let set = ScalerSet([geometry], of: Self.info, mode: mode)
        #expect(set.minimumSize.width == width && set.minimumSize.height == width * 3 / 4)
        let nearest = ScalerSet([geometry], of: Self.info, kernel: .nearest, mode: mode)
        #expect(nearest.minimumSize == (4000, 3000))
    }

    @Test("More accurate modes come closer to the ideal thumbnail")
    func quality() throws {
        let image = SampleImages.make(800, 600, .rgb) { x, y in
            [UInt8((x * y / 90) % 256), UInt8((x + y * 2) / 2 % 256), UInt8((x * x / 300 + y) % 256)]
        }
        let file = try SampleImages.file(.jpeg, image)
        let truth = try Raster(decoding: ImageInput(file)).resized(to: 96, 72)
        let errors = try [ThumbnailOptions.QualityMode.fast, .good, .exact].map { mode in
            var options = ThumbnailOptions()
            options.sizes = [192, 96].map { ThumbnailSize(width: $0, height: $0) }
            options.format = .png
            options.qualityMode = mode
            let small = try decode(Thumbnailer(options).thumbnails(of: file).thumbnails[1].bytes)
            return zip(small.bytes, truth.bytes).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        }
        #expect(errors[0] > errors[1] && errors[1] > errors[2] && errors[2] == 0, "\(errors)")
    }
}

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

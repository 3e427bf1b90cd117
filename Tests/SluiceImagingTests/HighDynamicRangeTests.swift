// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Pictures of PQ and HLG, compared with an independent computation.
///
/// The expected values come from a program in another language. It has the formulas of ST 2084 and BT.2100 with the
/// rounded constants and matrices that BT.2087 and others print, and the formula of Documentation/colour.md.
@Suite("High dynamic range", .timeLimit(.minutes(10))) struct HighDynamicRangeTests {
    private static let colors: [[UInt8]] = [
        [0, 0, 0], [40, 40, 40], [96, 96, 96], [148, 148, 148], [192, 192, 192], [255, 255, 255], [120, 90, 60],
        [180, 60, 60], [60, 160, 80], [30, 60, 170], [150, 150, 40], [200, 190, 180],
    ]
    private static let chart = SampleImages.make(12, 1, .rgb) { x, _ in colors[x] }

    /// A statement of colours, and what the chart becomes.
    struct Example: CustomTestStringConvertible {
        let testDescription: String
        let chunks: [UInt8]
        let expected: [[Int]]
    }

    private static func contentPeak(_ nits: UInt32) -> [UInt8] {
        FileBuilder.chunk("cLLI", (nits * 10_000).bigEndianBytes + [0, 0, 0, 0])
    }

    private static func displayPeak(_ nits: UInt32) -> [UInt8] {
        FileBuilder.chunk("mDCV", [UInt8](repeating: 0, count: 16) + (nits * 10_000).bigEndianBytes + [0, 0, 0, 1])
    }

    private static let pq2020 = PNGColorTests.code(9, 16, 0, 1)
    private static let brightest4000 = [
        [0, 0, 0], [17, 17, 17], [98, 98, 98], [205, 205, 205], [245, 245, 245], [255, 255, 255], [174, 66, 18],
        [246, 0, 0], [0, 224, 0], [0, 5, 233], [210, 204, 0], [250, 191, 161],
    ]
    static let examples = [
        Example(
            testDescription: "PQ, BT.2020", chunks: pq2020,
            expected: [
                [0, 0, 0], [17, 17, 17], [98, 98, 98], [209, 209, 209], [255, 255, 255], [255, 255, 255],
                [175, 66, 19],
                [255, 0, 0], [0, 231, 0], [0, 5, 241], [215, 209, 0], [255, 195, 165],
            ]),
        Example(
            testDescription: "PQ, Display P3", chunks: PNGColorTests.code(12, 16, 0, 1),
            expected: [
                [0, 0, 0], [17, 17, 17], [98, 98, 98], [209, 209, 209], [255, 255, 255], [255, 255, 255],
                [162, 78, 22],
                [251, 0, 0], [0, 228, 0], [0, 21, 241], [212, 212, 0], [255, 210, 175],
            ]),
        Example(
            testDescription: "PQ, sRGB's primaries", chunks: PNGColorTests.code(1, 16, 0, 1),
            expected: [
                [0, 0, 0], [17, 17, 17], [98, 98, 98], [209, 209, 209], [255, 255, 255], [255, 255, 255],
                [153, 84, 38],
                [247, 18, 18], [26, 226, 47], [3, 22, 238], [212, 212, 11], [255, 218, 185],
            ]),
        Example(
            testDescription: "PQ of at most 400 cd/m²", chunks: pq2020 + contentPeak(400) + displayPeak(4000),
            expected: [
                [0, 0, 0], [17, 17, 17], [98, 98, 98], [220, 220, 220], [255, 255, 255], [255, 255, 255],
                [179, 68, 19],
                [255, 0, 0], [0, 250, 0], [0, 6, 255], [228, 222, 0], [255, 195, 165],
            ]),
        Example(
            testDescription: "PQ of a display of 4000 cd/m²", chunks: displayPeak(4000) + pq2020,
            expected: brightest4000),
        Example(
            testDescription: "PQ with an impossible peak", chunks: contentPeak(0) + displayPeak(4000) + pq2020,
            expected: brightest4000),
        Example(
            testDescription: "PQ below diffuse white", chunks: pq2020 + contentPeak(100),
            expected: [
                [0, 0, 0], [17, 17, 17], [98, 98, 98], [255, 255, 255], [255, 255, 255], [255, 255, 255],
                [188, 72, 21],
                [255, 0, 0], [0, 255, 0], [0, 6, 255], [255, 248, 0], [255, 195, 165],
            ]),
        Example(
            testDescription: "HLG", chunks: PNGColorTests.code(9, 18, 0, 1) + contentPeak(400),
            expected: [
                [0, 0, 0], [33, 33, 33], [100, 100, 100], [159, 159, 159], [210, 210, 210], [255, 255, 255],
                [139, 89, 56], [208, 0, 46], [0, 176, 68], [0, 56, 170], [165, 160, 0], [221, 189, 173],
            ]),
    ]

    private func expect(_ image: Raster, _ expected: [[Int]], within steps: Int = 1) {
        let worst = zip(image.bytes, expected.joined()).map { abs(Int($0) - $1) }.max()
        #expect(worst ?? 256 <= steps, "\(image.bytes)")
        #expect(image.bytes.count == expected.count * image.layout.channels)
    }

    @Test("Known samples of PQ and HLG become the light that the standards state")
    func light() {
        func pq(_ sample: Double) -> Double { Double(LightTables.pq[Int((sample * 65535).rounded())]) * 203 }
        func hlg(_ sample: Double) -> Double { Double(LightTables.hlg[Int((sample * 65535).rounded())]) }
        for (sample, light) in [(0, 0), (0.25, 5.15418), (0.5, 92.2457), (0.580689, 203), (0.75, 983.378), (1, 10_000)]
        {
            #expect(abs(pq(sample) - light) <= light * 0.0005, "\(sample)")
        }
        for (sample, light) in [(0, 0), (0.25, 0.0208333), (0.5, 0.0833333), (0.75, 0.264963), (1, 1)] {
            #expect(abs(hlg(sample) - light) <= light * 0.0005, "\(sample)")
        }
    }

    @Test("The curve keeps dark light, is at most 1, and changes nothing if nothing is bright")
    func curve() {
        for (light, mapped) in [(0.1, 0.1), (0.2, 0.2), (0.5, 0.42874), (1, 0.63698), (2, 0.82737), (60, 1)] {
            #expect(abs(ToneCurve(peak: 1000)(Float(light)) - Float(mapped)) < 0.0001, "\(light)")
        }
        for light in [0, 0.2, 0.7, 1] as [Float] { #expect(abs(ToneCurve(peak: 203)(light) - light) < 1e-6) }
        #expect(ToneCurve(peak: 1)(5) == 1 && ToneCurve(peak: 10_000)(.infinity) <= 1)
    }

    @Test("A PNG becomes the expected colours, at 8 and 16 bits, with a note", arguments: examples)
    func png(_ example: Example) throws {
        let made = try PNGColorTests.thumbnail(Self.chart, example.chunks)
        expect(made.image, example.expected)
        #expect(made.notes.count == 1 && made.notes[0].hasPrefix("high dynamic range ("), "\(made.notes)")
        let header = FileBuilder.header(width: 12, height: 1, depth: 16)
        // A profile is for readers that do not know the chunk.
        let deep = FileBuilder.png(
            header: header, before: example.chunks + PNGColorTests.profile(PNGColorTests.red),
            rows: [0] + Self.chart.bytes.flatMap { [$0, $0] })
        #expect(try decode(ColorTests.thumbnail(deep).file) == made.image)
    }

    @Test("No option embeds a profile or shows the samples unchanged", arguments: ThumbnailOptions.Profile.allCases)
    func options(profile: ThumbnailOptions.Profile) throws {
        let file = FileBuilder.png(try SampleImages.file(.png, Self.chart), inserting: Self.pq2020)
        for isLinear in [false, true] {
            let made = try ColorTests.thumbnail(file) {
                $0.profile = profile
                $0.isLinear = isLinear
            }
            expect(try decode(made.file), Self.examples[0].expected, within: isLinear ? 2 : 1)
            #expect(try ProfileOptionTests.profile(of: made.file) == nil)
        }
    }

    @Test("Grey stays grey, and alpha the same", arguments: [Self.pq2020, PNGColorTests.code(9, 18, 0, 1)])
    func layouts(code: [UInt8]) throws {
        let grey = SampleImages.make(12, 1, .grey) { x, _ in [UInt8(x * 23)] }
        let colors = try PNGColorTests.thumbnail(grey.expanded(to: .rgb), code).image
        let made = try PNGColorTests.thumbnail(grey, code).image
        #expect(made.layout == .grey && made.expanded(to: .rgb).distance(to: colors.expanded(to: .rgb)) <= 1)
        let clear = SampleImages.make(12, 1, .rgba) { x, _ in [96, 96, 96, UInt8(x * 23)] }
        let seen = try PNGColorTests.thumbnail(clear, code).image
        #expect((0..<12).map { seen.pixel($0, 0)[3] } == (0..<12).map { $0 * 23 })
    }

    @Test("An AVIF's code points and peaks count, even beside a profile", arguments: [nil, 400, 0] as [Int?])
    func avif(peak: Int?) throws {
        var encoder = ImageEncoder(.avif)
        encoder.isLossless = true
        let picture = SampleImages.make(48, 16, .rgb) { x, _ in Self.colors[x / 4] }
        var file = try encoder.encode(picture)
        let code = try #require(file.firstRange(of: Array("nclx".utf8))).upperBound
        file.replaceSubrange(code..<code + 4, with: [0, 9, 0, 16])
        if let peak {
            file = AVIFParts(file).adding(property: "clli", UInt16(peak).bigEndianBytes + [0, 0])
        } else {
            file = AVIFParts(file).adding(profile: LCMSProfiles.adobeRGB)
        }
        let result = try ColorTests.thumbnail(file)
        #expect(result.notes == ["high dynamic range (PQ) reduced to sRGB"])
        let image = try decode(result.file)
        let row = SampleImages.make(12, 1, .rgb) { x, _ in image.pixel(x * 4 + 2, 8).map(UInt8.init) }
        expect(row, Self.examples[peak == 400 ? 3 : 0].expected, within: 2)
    }

    @Test("A HEIC's code points count, and the display's peak")
    func heic() throws {
        var file = try ForeignFileTests.file("hevc-crop.heic")
        let plain = try ImageHeader(of: ImageInput(file))
        #expect(plain.dynamicRange == nil)
        let code = try #require(file.firstRange(of: Array("nclx".utf8))).upperBound
        file.replaceSubrange(code..<code + 4, with: [0, 9, 0, 18])
        let header = try ImageHeader(of: ImageInput(file))
        #expect(header.dynamicRange?.transfer == .hlg && header.dynamicRange?.primaries == .bt2020)
        #expect(try header.readProfile(ImageInput(file)) == nil)
        guard Codecs.codec(of: .heic).loader?.load() == true else { return }
        let image = try decode(file)
        #expect(image.width == 31 && image.height == 21)
        #expect(try image != decode(ForeignFileTests.file("hevc-crop.heic")))
    }
}

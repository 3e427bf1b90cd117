// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceImaging

@Suite("PNG colours", .timeLimit(.minutes(10))) struct PNGColorTests {
    static let p3 = Colorimetry.Primaries.displayP3
    static let red = (HandmadeProfiles.rgb(red: HandmadeProfiles.blue, blue: HandmadeProfiles.red))

    static func gamma(_ value: UInt32) -> [UInt8] { FileBuilder.chunk("gAMA", value.bigEndianBytes) }

    static func chromaticities(_ primaries: Colorimetry.Primaries) -> [UInt8] {
        let places = [primaries.white, primaries.red, primaries.green, primaries.blue]
        return FileBuilder.chunk(
            "cHRM", places.flatMap { [$0.x, $0.y] }.flatMap { UInt32(($0 * 100_000).rounded()).bigEndianBytes })
    }

    static func code(_ bytes: UInt8...) -> [UInt8] { FileBuilder.chunk("cICP", bytes) }
    static let sRGB = FileBuilder.chunk("sRGB", [0])
    static func profile(_ bytes: [UInt8]) -> [UInt8] {
        FileBuilder.chunk("iCCP", Array("test\0\0".utf8) + FileBuilder.zlib(bytes))
    }

    static func thumbnail(_ image: Raster, _ chunks: [UInt8]...) throws -> (image: Raster, notes: [String]) {
        let file = FileBuilder.png(try SampleImages.file(.png, image), inserting: chunks.flatMap { $0 })
        let made = try ColorTests.thumbnail(file)
        return (try decode(made.file), made.notes)
    }

    @Test("gAMA alone applies to grey and to colours", arguments: [100_000, 55_556, 35_000, 62_500] as [UInt32])
    func gamma(value: UInt32) throws {
        let gamma = 100_000 / Double(value)
        // sRGB's curve, written out: the sRGB sample for the light of a sample.
        func truth(_ sample: UInt8) -> Double {
            let light = pow(Double(sample) / 255, gamma)
            return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
        }
        for image in [ColorTests.greys, ColorTests.chart] {
            let made = try Self.thumbnail(image, Self.gamma(value))
            #expect(made.notes.isEmpty && made.image.layout == image.layout)
            let worst = zip(made.image.bytes, image.bytes).map { abs(Double($0) - truth($1)) }.max()
            #expect(try #require(worst) <= 2, "\(worst ?? 0) \(image.layout)")
        }
    }

    @Test("gAMA and cHRM together act as a profile")
    func chromaticities() throws {
        let profile = unsafe LCMSProfiles.rgb(
            (0.3127, 0.3290), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), LCMSProfiles.gamma(1.8))
        let made = try Self.thumbnail(ColorTests.chart, Self.gamma(55_556), Self.chromaticities(Self.p3))
        let worst = zip(made.image.bytes, LCMSProfiles.truth(ColorTests.chart, profile)).map { abs(Double($0) - $1) }
        #expect(try #require(worst.max()) <= 2)
    }

    @Test("Chunks that declare sRGB or impossible values change nothing")
    func untouched() throws {
        let same: [[UInt8]] = [
            Self.sRGB, Self.gamma(45_455), Self.gamma(45_455) + Self.chromaticities(.sRGB),
            Self.chromaticities(Self.p3),
            Self.sRGB + Self.gamma(45_455) + Self.chromaticities(.sRGB), Self.gamma(0), Self.gamma(1),
            Self.gamma(.max), FileBuilder.chunk("gAMA", [1, 2, 3]), FileBuilder.chunk("sRGB", []),
            Self.code(1, 13, 0, 1),
            Self.gamma(55_556) + FileBuilder.chunk("cHRM", [UInt8](repeating: 0, count: 32)),
            Self.gamma(55_556) + FileBuilder.chunk("cHRM", [UInt8](repeating: 255, count: 32)),
        ]
        for chunks in same {
            let made = try Self.thumbnail(ColorTests.chart, chunks)
            #expect(made.image == ColorTests.chart, "\(chunks)")
        }
    }

    @Test("cICP precedes a profile, a profile precedes sRGB, and sRGB precedes gAMA, in any order of chunks")
    func precedence() throws {
        let code = Self.code(12, 13, 0, 1)
        let profile = Self.profile(Self.red)
        let gamma = Self.gamma(100_000)
        func made(_ chunks: [UInt8]...) throws -> Raster {
            let made = try Self.thumbnail(ColorTests.chart, chunks.flatMap { $0 })
            #expect(made.notes.isEmpty)
            return made.image
        }
        let byCode = try made(code)
        let byProfile = try made(profile)
        let byGamma = try made(gamma)
        let plain = ColorTests.chart
        #expect(Set([byCode, byProfile, byGamma, plain]).count == 4)
        #expect(try made(code, profile, Self.sRGB, gamma) == byCode && made(gamma, Self.sRGB, profile, code) == byCode)
        #expect(try made(profile, Self.sRGB, gamma) == byProfile && made(gamma, Self.sRGB, profile) == byProfile)
        #expect(try made(Self.sRGB, gamma) == plain && made(gamma, Self.sRGB) == plain)
    }

    @Test("Display P3 by cICP equals Display P3 by profile")
    func code() throws {
        let made = try Self.thumbnail(ColorTests.chart, Self.code(12, 13, 0, 1)).image
        let truth = LCMSProfiles.truth(ColorTests.chart, LCMSProfiles.displayP3)
        #expect(try #require(zip(made.bytes, truth).map { abs(Double($0) - $1) }.max()) <= 2)
        #expect(try Self.thumbnail(ColorTests.greys, Self.code(12, 13, 0, 1)).image == ColorTests.greys)
    }

    @Test("An unsupported cICP code is a note and falls back to the next chunk")
    func unknownCode() throws {
        for code in [
            Self.code(9, 16, 0, 0), Self.code(4, 16, 0, 1), Self.code(1, 13, 0, 0), Self.code(2, 2, 0, 1),
            Self.code(1, 13, 1, 1),
        ] {
            let made = try Self.thumbnail(ColorTests.chart, code, Self.profile(Self.red))
            #expect(made.notes.count == 1 && made.notes[0].hasPrefix("colours ignored: cICP "), "\(made.notes)")
            #expect(try made.image == Self.thumbnail(ColorTests.chart, Self.profile(Self.red)).image)
        }
    }

    @Test("An invalid profile falls back to gAMA")
    func brokenProfile() throws {
        let broken = Self.profile([UInt8](repeating: 7, count: 300))
        let made = try Self.thumbnail(ColorTests.chart, broken, Self.gamma(100_000))
        #expect(try made.image == Self.thumbnail(ColorTests.chart, Self.gamma(100_000)).image)
        #expect(made.notes.count == 1)
    }

    @Test("Colours from chunks are kept as a profile, with equal bytes each time")
    func kept() throws {
        let chunks = Self.gamma(55_556) + Self.chromaticities(Self.p3)
        let file = FileBuilder.png(try SampleImages.file(.png, ColorTests.chart), inserting: chunks)
        func kept() throws -> [UInt8] {
            try ColorTests.thumbnail(file) {
                $0.profile = .keep
                $0.format = .webp
                $0.isLossless = true
            }.file
        }
        let made = try kept()
        #expect(try decode(made) == ColorTests.chart && kept() == made)
        let profile = try #require(try ProfileOptionTests.profile(of: made))
        #expect(
            try ColorTests.thumbnail(made).file
                == ColorTests.thumbnail(FilesWithMetadata.file(ColorTests.chart, .png, profile)).file)
    }
}

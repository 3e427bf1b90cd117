// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceImaging

@Suite("PNG colours") struct PNGColorTests {
    static let p3 = Colorimetry.Primaries.displayP3
    static let red = (Profiles.rgb(red: Profiles.blue, blue: Profiles.red))

    static func gamma(_ value: UInt32) -> [UInt8] { Files.chunk("gAMA", value.bigEndianBytes) }

    static func chromaticities(_ primaries: Colorimetry.Primaries) -> [UInt8] {
        let places = [primaries.white, primaries.red, primaries.green, primaries.blue]
        return Files.chunk(
            "cHRM", places.flatMap { [$0.x, $0.y] }.flatMap { UInt32(($0 * 100_000).rounded()).bigEndianBytes })
    }

    static func code(_ bytes: UInt8...) -> [UInt8] { Files.chunk("cICP", bytes) }
    static let sRGB = Files.chunk("sRGB", [0])
    static func profile(_ bytes: [UInt8]) -> [UInt8] {
        Files.chunk("iCCP", Array("test\0\0".utf8) + Files.zlib(bytes))
    }

    static func thumbnail(_ picture: Raster, _ chunks: [UInt8]...) throws -> (picture: Raster, notes: [String]) {
        let file = Files.png(try Pictures.file(.png, picture), inserting: chunks.flatMap { $0 })
        let made = try ColorTests.thumbnail(file)
        return (try decode(made.file), made.notes)
    }

    @Test("Gamma alone is a curve for grey and for colours", arguments: [100_000, 55_556, 35_000, 62_500] as [UInt32])
    func gamma(value: UInt32) throws {
        let gamma = 100_000 / Double(value)
        // sRGB's own curve, written out: what the samples' light is in sRGB.
        func truth(_ sample: UInt8) -> Double {
            let light = pow(Double(sample) / 255, gamma)
            return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
        }
        for picture in [ColorTests.greys, ColorTests.chart] {
            let made = try Self.thumbnail(picture, Self.gamma(value))
            #expect(made.notes.isEmpty && made.picture.layout == picture.layout)
            let worst = zip(made.picture.bytes, picture.bytes).map { abs(Double($0) - truth($1)) }.max()
            #expect(try #require(worst) <= 2, "\(worst ?? 0) \(picture.layout)")
        }
    }

    @Test("Gamma and chromaticities together are a profile")
    func chromaticities() throws {
        let profile = unsafe MadeProfiles.rgb(
            (0.3127, 0.3290), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), MadeProfiles.gamma(1.8))
        let made = try Self.thumbnail(ColorTests.chart, Self.gamma(55_556), Self.chromaticities(Self.p3))
        let worst = zip(made.picture.bytes, MadeProfiles.truth(ColorTests.chart, profile)).map { abs(Double($0) - $1) }
        #expect(try #require(worst.max()) <= 2)
    }

    @Test("What says sRGB, or says nothing that can be, changes nothing")
    func untouched() throws {
        let same: [[UInt8]] = [
            Self.sRGB, Self.gamma(45_455), Self.gamma(45_455) + Self.chromaticities(.sRGB),
            Self.chromaticities(Self.p3),
            Self.sRGB + Self.gamma(45_455) + Self.chromaticities(.sRGB), Self.gamma(0), Self.gamma(1),
            Self.gamma(.max), Files.chunk("gAMA", [1, 2, 3]), Files.chunk("sRGB", []), Self.code(1, 13, 0, 1),
            Self.gamma(55_556) + Files.chunk("cHRM", [UInt8](repeating: 0, count: 32)),
            Self.gamma(55_556) + Files.chunk("cHRM", [UInt8](repeating: 255, count: 32)),
        ]
        for chunks in same {
            let made = try Self.thumbnail(ColorTests.chart, chunks)
            #expect(made.picture == ColorTests.chart, "\(chunks)")
        }
    }

    /// What the chart becomes by each of the ways to tell colours.
    @Test("cICP goes before a profile, a profile before sRGB, and sRGB before gamma, in whatever order they stand")
    func precedence() throws {
        let code = Self.code(12, 13, 0, 1)
        let profile = Self.profile(Self.red)
        let gamma = Self.gamma(100_000)
        func made(_ chunks: [UInt8]...) throws -> Raster {
            let made = try Self.thumbnail(ColorTests.chart, chunks.flatMap { $0 })
            #expect(made.notes.isEmpty)
            return made.picture
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

    @Test("Display P3 by its code is Display P3 by its profile")
    func code() throws {
        let made = try Self.thumbnail(ColorTests.chart, Self.code(12, 13, 0, 1)).picture
        let truth = MadeProfiles.truth(ColorTests.chart, MadeProfiles.displayP3)
        #expect(try #require(zip(made.bytes, truth).map { abs(Double($0) - $1) }.max()) <= 2)
        #expect(try Self.thumbnail(ColorTests.greys, Self.code(12, 13, 0, 1)).picture == ColorTests.greys)
    }

    @Test("A code that is not understood is a note, and leaves the word to what comes after it")
    func unknownCode() throws {
        for code in [Self.code(9, 16, 0, 1), Self.code(1, 13, 0, 0), Self.code(2, 2, 0, 1), Self.code(1, 13, 1, 1)] {
            let made = try Self.thumbnail(ColorTests.chart, code, Self.profile(Self.red))
            #expect(made.notes.count == 1 && made.notes[0].hasPrefix("colours ignored: cICP "))
            #expect(try made.picture == Self.thumbnail(ColorTests.chart, Self.profile(Self.red)).picture)
        }
    }

    @Test("A broken profile leaves the word to gamma")
    func brokenProfile() throws {
        let broken = Self.profile([UInt8](repeating: 7, count: 300))
        let made = try Self.thumbnail(ColorTests.chart, broken, Self.gamma(100_000))
        #expect(try made.picture == Self.thumbnail(ColorTests.chart, Self.gamma(100_000)).picture)
        #expect(made.notes.count == 1)
    }

    @Test("Colours told by numbers are kept as a profile, the same each time")
    func kept() throws {
        let chunks = Self.gamma(55_556) + Self.chromaticities(Self.p3)
        let file = Files.png(try Pictures.file(.png, ColorTests.chart), inserting: chunks)
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
                == ColorTests.thumbnail(Profiled.file(ColorTests.chart, .png, profile)).file)
    }
}

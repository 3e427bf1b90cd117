// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Profile option") struct ProfileOptionTests {
    static let formats: [ThumbnailOptions.Format] = [.jpeg, .png, .webp]

    @Test("A kept profile stands in the thumbnail, byte for byte, beside the picture's own colours", arguments: formats)
    func kept(format: ThumbnailOptions.Format) throws {
        let file = try Profiled.file(ColorTests.chart, .png, MadeProfiles.displayP3)
        let made = try ColorTests.thumbnail(file) {
            $0.format = format
            $0.profile = .keep
            $0.quality = 100
            $0.subsampling = .full
            $0.isLossless = true
        }
        #expect(made.notes.isEmpty)
        #expect(try Self.profile(of: made.file) == MadeProfiles.displayP3)
        #expect(try decode(made.file).distance(to: ColorTests.chart) <= (format == .jpeg ? 3 : 0))
    }

    @Test("A profile of several segments is kept whole")
    func large() throws {
        let text = [UInt8](repeating: 0x41, count: 200_000)
        let profile = Profiles.rgb(
            red: Profiles.blue, blue: Profiles.red, more: [("priv", Array("text\0\0\0\0".utf8) + text)])
        let file = try Profiled.file(of: Pictures.file(.png), Pictures.landscape(24, 16), .png, profile)
        for format in Self.formats {
            let made = try ColorTests.thumbnail(file) {
                $0.format = format
                $0.profile = .keep
            }
            #expect(try Self.profile(of: made.file) == profile && made.notes.isEmpty)
        }
    }

    @Test("Grey is kept with its profile, but not where the thumbnail has colours")
    func grey() throws {
        let file = try Profiled.file(ColorTests.greys, .png, MadeProfiles.grey22)
        for format in Self.formats {
            let made = try ColorTests.thumbnail(file) {
                $0.format = format
                $0.profile = .keep
                $0.quality = 100
            }
            let isKept = format != .webp
            #expect(try Self.profile(of: made.file) == (isKept ? MadeProfiles.grey22 : nil))
            #expect(made.notes.isEmpty == isKept)
            if isKept { #expect(try decode(made.file).distance(to: ColorTests.greys) <= 2) }
        }
        let padded = try ColorTests.thumbnail(file) {
            $0.profile = .keep
            $0.fit = .pad
            $0.background = BackgroundColor(red: 250, green: 0, blue: 0)
        }
        #expect(try Self.profile(of: padded.file) == nil && padded.notes.count == 1)
    }

    @Test("Colours that are stripped of their profile stay as they are", arguments: formats)
    func stripped(format: ThumbnailOptions.Format) throws {
        let file = try Profiled.file(ColorTests.chart, .png, MadeProfiles.proPhoto)
        let made = try ColorTests.thumbnail(file) {
            $0.format = format
            $0.profile = .strip
            $0.isLossless = true
            $0.quality = 100
            $0.subsampling = .full
        }
        #expect(try made.notes.isEmpty && Self.profile(of: made.file) == nil)
        #expect(try decode(made.file).distance(to: ColorTests.chart) <= (format == .jpeg ? 3 : 0))
    }

    @Test("By default no profile is written", arguments: formats)
    func byDefault(format: ThumbnailOptions.Format) throws {
        let file = try Profiled.file(ColorTests.chart, .png, MadeProfiles.proPhoto)
        let made = try ColorTests.thumbnail(file) { $0.format = format }
        #expect(try Self.profile(of: made.file) == nil && !ImageInfo(bytes: made.file).hasProfile)
    }

    @Test("What is told of a picture is the same whether its profile is kept or not")
    func told() throws {
        let file = try Profiled.file(ColorTests.chart, .png, MadeProfiles.adobeRGB)
        var options = ThumbnailOptions()
        let converted = try Thumbnailer(options).thumbnails(of: file)
        options.profile = .keep
        let kept = try Thumbnailer(options).thumbnails(of: file)
        #expect(kept.color == converted.color && kept.placeholder == converted.placeholder)
        #expect(kept.phash == converted.phash && kept.thumbnails != converted.thumbnails)
    }

    @Test("Inks are converted although their profile is to be kept, which is a note")
    func inks() {
        var options = ThumbnailOptions()
        options.profile = .keep
        let info = ImageInfo(format: .jpeg, width: 125, height: 5)
        let plan = ColorPlan(from: MadeProfiles.cmyk, of: .cmyk, info, options, by: ColorWays())
        #expect(plan.profile.isEmpty && plan.notes == ["colours converted to sRGB: thumbnails are not made in CMYK"])
        #expect(plan.apply(ColorTests.inks).layout == .rgb)
        options.profile = .srgb
        let plain = ColorPlan(from: MadeProfiles.cmyk, of: .cmyk, info, options, by: ColorWays())
        #expect(plan.apply(ColorTests.inks) == plain.apply(ColorTests.inks))
    }

    @Test("A profile that strict readers refuse is not passed on", arguments: ["odd count", "tag outside", "kind"])
    func faults(fault: String) throws {
        var profile = MadeProfiles.displayP3
        switch fault {
        case "odd count":
            profile = Array(profile.dropLast(2))
            profile[3] &-= 2
        case "tag outside": profile.replaceSubrange(136..<140, with: [0x7F, 0, 0, 0])
        default: profile.replaceSubrange(12..<16, with: Array("link".utf8))
        }
        let file = try Profiled.file(ColorTests.chart, .webp, profile)
        for format in Self.formats {
            let made = try ColorTests.thumbnail(file) {
                $0.format = format
                $0.profile = .keep
            }
            #expect(try made.notes.count == 1 && Self.profile(of: made.file) == nil)
        }
    }

    /// The profile that a file carries.
    static func profile(of file: [UInt8]) throws -> [UInt8]? {
        let source = PictureBytes(file)
        return try PictureHeader(of: source).readProfile(source)
    }
}

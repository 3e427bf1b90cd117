// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Profile option", .timeLimit(.minutes(10))) struct ProfileOptionTests {
    static let formats = ImageFormat.encodable.map { ThumbnailOptions.Format.fixed($0) }

    @Test("A kept profile is byte-identical and the colours are unchanged", arguments: formats)
    func kept(format: ThumbnailOptions.Format) throws {
        let file = try FilesWithMetadata.file(ColorTests.chart, .png, LCMSProfiles.displayP3)
        let made = try ColorTests.thumbnail(file) {
            $0.format = format
            $0.profile = .keep
            $0.quality = 100
            $0.subsampling = .full
            $0.isLossless = true
        }
        #expect(made.notes.isEmpty)
        #expect(try Self.profile(of: made.file) == LCMSProfiles.displayP3)
        #expect(try decode(made.file).distance(to: ColorTests.chart) <= (format == .jpeg ? 3 : 0))
    }

    @Test("A profile of several segments is kept whole")
    func large() throws {
        let text = [UInt8](repeating: 0x41, count: 200_000)
        let profile = HandmadeProfiles.rgb(
            red: HandmadeProfiles.blue, blue: HandmadeProfiles.red, more: [("priv", Array("text\0\0\0\0".utf8) + text)])
        let file = try FilesWithMetadata.file(
            of: SampleImages.file(.png), SampleImages.landscape(24, 16), .png, profile)
        for format in Self.formats {
            let made = try ColorTests.thumbnail(file) {
                $0.format = format
                $0.profile = .keep
            }
            #expect(try Self.profile(of: made.file) == profile && made.notes.isEmpty)
        }
    }

    @Test("A grey profile is kept only if the thumbnail is grey")
    func grey() throws {
        let file = try FilesWithMetadata.file(ColorTests.greys, .png, LCMSProfiles.grey22)
        for format in Self.formats {
            let made = try ColorTests.thumbnail(file) {
                $0.format = format
                $0.profile = .keep
                $0.quality = 100
            }
            let isKept = format != .webp
            #expect(try Self.profile(of: made.file) == (isKept ? LCMSProfiles.grey22 : nil))
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

    @Test("Stripping a profile leaves the colours unchanged", arguments: formats)
    func stripped(format: ThumbnailOptions.Format) throws {
        let file = try FilesWithMetadata.file(ColorTests.chart, .png, LCMSProfiles.proPhoto)
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
        let file = try FilesWithMetadata.file(ColorTests.chart, .png, LCMSProfiles.proPhoto)
        let made = try ColorTests.thumbnail(file) { $0.format = format }
        #expect(try Self.profile(of: made.file) == nil && !ImageInfo(bytes: made.file).hasProfile)
    }

    @Test("Colour and hashes do not depend on whether the profile is kept")
    func independence() throws {
        let file = try FilesWithMetadata.file(ColorTests.chart, .png, LCMSProfiles.adobeRGB)
        var options = ThumbnailOptions()
        let converted = try Thumbnailer(options).thumbnails(of: file)
        options.profile = .keep
        let kept = try Thumbnailer(options).thumbnails(of: file)
        #expect(kept.color == converted.color && kept.placeholder == converted.placeholder)
        #expect(kept.phash == converted.phash && kept.thumbnails != converted.thumbnails)
    }

    @Test("CMYK is converted with a note even if the profile should be kept")
    func inks() {
        var options = ThumbnailOptions()
        options.profile = .keep
        let info = ImageInfo(format: .jpeg, width: 125, height: 5)
        let plan = ColorPlan(from: LCMSProfiles.cmyk, of: .cmyk, info, options, using: ColorConversionCache())
        #expect(plan.profile.isEmpty && plan.notes == ["colours converted to sRGB: thumbnails cannot be CMYK"])
        #expect(plan.apply(ColorTests.inks).layout == .rgb)
        options.profile = .srgb
        let plain = ColorPlan(from: LCMSProfiles.cmyk, of: .cmyk, info, options, using: ColorConversionCache())
        #expect(plan.apply(ColorTests.inks) == plain.apply(ColorTests.inks))
    }

    @Test("A profile that strict readers reject is not kept", arguments: ["odd count", "tag outside", "kind"])
    func faults(fault: String) throws {
        var profile = LCMSProfiles.displayP3
        switch fault {
        case "odd count":
            profile = Array(profile.dropLast(2))
            profile[3] &-= 2
        case "tag outside": profile.replaceSubrange(136..<140, with: [0x7F, 0, 0, 0])
        default: profile.replaceSubrange(12..<16, with: Array("link".utf8))
        }
        let file = try FilesWithMetadata.file(ColorTests.chart, .webp, profile)
        for format in Self.formats {
            let made = try ColorTests.thumbnail(file) {
                $0.format = format
                $0.profile = .keep
            }
            #expect(try made.notes.count == 1 && Self.profile(of: made.file) == nil)
        }
    }

    /// Returns the profile embedded in a file.
    static func profile(of file: [UInt8]) throws -> [UInt8]? {
        let source = ImageInput(file)
        return try ImageHeader(of: source).readProfile(source)
    }
}

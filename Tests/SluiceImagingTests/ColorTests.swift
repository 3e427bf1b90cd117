// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Colour", .timeLimit(.minutes(10))) struct ColorTests {
    /// A chart of all colours in steps, including black, white, greys and the most saturated colours.
    static let chart = SampleImages.make(81, 9, .rgb) { x, y in
        let steps: [UInt8] = [0, 5, 16, 40, 80, 128, 180, 230, 255]
        return [steps[x / 9], steps[x % 9], steps[y]]
    }

    static let greys = SampleImages.make(32, 8, .grey) { x, y in [UInt8(y * 32 + x)] }

    /// All combinations of CMYK values in steps; 255 means no ink.
    static let inks = SampleImages.make(125, 5, .cmyk) { x, y in
        let steps: [UInt8] = [255, 200, 128, 60, 0]
        return [steps[x / 25], steps[x / 5 % 5], steps[x % 5], steps[y]]
    }

    /// Makes one thumbnail of a file at its own size, as PNG; returns it with the notes.
    static func thumbnail(
        _ file: [UInt8], _ change: (inout ThumbnailOptions) -> Void = { _ in }
    ) throws -> (file: [UInt8], notes: [String]) {
        var options = ThumbnailOptions()
        options.format = .png
        change(&options)
        let result = try Thumbnailer(options).thumbnails(of: file)
        return (result.thumbnails[0].bytes, result.notes)
    }

    @Test(
        "Converted colours differ from lcms2's by at most two steps",
        arguments: [
            ("Display P3", LCMSProfiles.displayP3), ("Adobe RGB", LCMSProfiles.adobeRGB),
            ("ProPhoto", LCMSProfiles.proPhoto), ("linear sRGB", LCMSProfiles.linearSRGB),
        ])
    func charts(name: String, profile: [UInt8]) throws {
        let truth = LCMSProfiles.truth(Self.chart, profile)
        let made = try Self.thumbnail(FilesWithMetadata.file(Self.chart, .png, profile))
        #expect(made.notes.isEmpty)
        try expect(decode(made.file), truth, within: 2)
        let transparent = try Self.thumbnail(FilesWithMetadata.file(Self.chart.halfTransparent, .png, profile))
        let seen = try decode(transparent.file)
        #expect(seen.layout == .rgba && seen.pixel(3, 3)[3] == 128)
        try expect(seen.opaque, truth, within: 2)
        let webp = try ImageEncoder(.webp).lossless(Self.chart)
        try expect(
            decode(Self.thumbnail(FilesWithMetadata.file(of: webp, Self.chart, .webp, profile)).file), truth, within: 2)
    }

    @Test("Grey of gamma 2.2 differs from lcms2's result by at most two steps and stays grey")
    func grey() throws {
        let truth = LCMSProfiles.truth(Self.greys, LCMSProfiles.grey22)
        let made = try Self.thumbnail(FilesWithMetadata.file(Self.greys, .png, LCMSProfiles.grey22))
        let image = try decode(made.file)
        #expect(made.notes.isEmpty && image.layout == .grey)
        for (index, sample) in image.bytes.enumerated() {
            #expect((0..<3).allSatisfy { abs(Double(sample) - truth[index * 3 + $0]) <= 2 })
        }
        for format in [ImageFormat.jpeg, .png] {
            let file = try FilesWithMetadata.file(Self.greys, format, LCMSProfiles.grey22)
            let jpeg = try Self.thumbnail(file) { $0.format = .jpeg }
            #expect(try ImageInfo(bytes: jpeg.file).colorModel == .grey)
            #expect(try decode(jpeg.file).distance(to: image) <= 6)
        }
    }

    @Test("CMYK colours differ from lcms2's by at most two steps")
    func cmyk() throws {
        let plan = ColorPlan(
            from: LCMSProfiles.cmyk, of: .cmyk, ImageInfo(format: .jpeg, width: 125, height: 5), ThumbnailOptions(),
            using: ColorConversionCache())
        #expect(plan.notes.isEmpty && plan.profile.isEmpty)
        try expect(plan.apply(Self.inks), LCMSProfiles.truth(Self.inks, LCMSProfiles.cmyk), within: 2)
    }

    @Test("Grey with transparency keeps its grey and alpha and is converted by its profile")
    func greyAlpha() throws {
        var rows: [UInt8] = []
        for y in 0..<16 {
            rows.append(0)
            for x in 0..<16 { rows += [UInt8(y * 16 + x), UInt8(255 - x)] }
        }
        let chunk = FileBuilder.chunk("iCCP", Array("test\0\0".utf8) + FileBuilder.zlib(LCMSProfiles.grey22))
        let plain = FileBuilder.png(header: FileBuilder.header(width: 16, height: 16, colors: 4), rows: rows)
        let file = FileBuilder.png(plain, inserting: chunk)
        let truth = LCMSProfiles.truth(
            SampleImages.make(16, 16, .grey) { x, y in [UInt8(y * 16 + x)] }, LCMSProfiles.grey22)
        let made = try Self.thumbnail(file)
        let image = try decode(made.file)
        #expect(made.notes.isEmpty && made.file[25] == 4)
        for y in 0..<16 {
            for x in 0..<16 {
                let pixel = image.pixel(x, y)
                let wanted = truth[(y * 16 + x) * 3]
                #expect(pixel[3] == 255 - x && pixel[0] == pixel[1] && pixel[0] == pixel[2])
                #expect(abs(Double(pixel[0]) - wanted) <= 2)
            }
        }
        #expect(try decode(Self.thumbnail(plain).file) == decode(plain))
        let jpeg = try Self.thumbnail(file) { $0.format = .jpeg }
        #expect(try ImageInfo(bytes: jpeg.file).colorModel == .grey)
        let colored = try Self.thumbnail(file) {
            $0.format = .jpeg
            $0.background = BackgroundColor(red: 200, green: 0, blue: 0)
        }
        #expect(try ImageInfo(bytes: colored.file).colorModel == .rgb)
        #expect(try decode(Self.thumbnail(file) { $0.format = .webp }.file).layout == .rgba)
    }

    @Test("sRGB images, with or without a profile, stay unchanged", arguments: [LCMSProfiles.sRGB, nil])
    func untouched(profile: [UInt8]?) throws {
        let file =
            try profile.map { try FilesWithMetadata.file(Self.chart, .png, $0) } ?? SampleImages.file(.png, Self.chart)
        #expect(try decode(Self.thumbnail(file).file) == Self.chart)
    }

    @Test("An invalid colour profile is ignored with a note")
    func broken() throws {
        let broken = FileBuilder.segment(
            0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 200))
        let file = FileBuilder.jpeg(try SampleImages.file(.jpeg, Self.chart), inserting: broken)
        for profile in ThumbnailOptions.Profile.allCases {
            let made = try Self.thumbnail(file) { $0.profile = profile }
            #expect(try ImageInfo(bytes: file).hasProfile && !ImageInfo(bytes: made.file).hasProfile)
            #expect(made.notes == (profile == .strip ? [] : ["colour profile ignored: broken"]))
        }
    }

    private func expect(_ image: Raster, _ truth: [Double], within steps: Double) throws {
        #expect(image.layout == .rgb && image.bytes.count == truth.count)
        let worst = zip(image.bytes, truth).map { abs(Double($0) - $1) }.max()
        #expect(try #require(worst) <= steps)
    }
}

extension Raster {
    /// The image at half its opacity.
    var halfTransparent: Raster {
        var seen = expanded(to: .rgba)
        for alpha in stride(from: 3, to: seen.bytes.count, by: 4) { seen.bytes[alpha] = 128 }
        return seen
    }

    /// The image's colours without its alpha.
    var opaque: Raster {
        let bytes = bytes.enumerated().filter { $0.offset % 4 < 3 }.map(\.element)
        return Raster(width: width, height: height, layout: .rgb, bytes: bytes)
    }
}

extension ImageEncoder {
    func lossless(_ image: Raster) throws -> [UInt8] {
        var encoder = self
        encoder.isLossless = true
        return try encoder.encode(image)
    }
}

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

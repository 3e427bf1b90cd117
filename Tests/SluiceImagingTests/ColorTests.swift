// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Colour") struct ColorTests {
    /// Every colour there is, in steps: black, white, greys and the fullest colours among them.
    static let chart = Pictures.make(81, 9, .rgb) { x, y in
        let steps: [UInt8] = [0, 5, 16, 40, 80, 128, 180, 230, 255]
        return [steps[x / 9], steps[x % 9], steps[y]]
    }

    static let greys = Pictures.make(32, 8, .grey) { x, y in [UInt8(y * 32 + x)] }

    /// Inks from none to full, 255 being none, each with each.
    static let inks = Pictures.make(125, 5, .cmyk) { x, y in
        let steps: [UInt8] = [255, 200, 128, 60, 0]
        return [steps[x / 25], steps[x / 5 % 5], steps[x % 5], steps[y]]
    }

    /// One thumbnail of a file in its own size, as PNG, with the notes.
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
        "A chart comes within two steps of what lcms2 says",
        arguments: [
            ("Display P3", MadeProfiles.displayP3), ("Adobe RGB", MadeProfiles.adobeRGB),
            ("ProPhoto", MadeProfiles.proPhoto), ("linear sRGB", MadeProfiles.linearSRGB),
        ])
    func charts(name: String, profile: [UInt8]) throws {
        let truth = MadeProfiles.truth(Self.chart, profile)
        let made = try Self.thumbnail(Profiled.file(Self.chart, .png, profile))
        #expect(made.notes.isEmpty)
        try expect(decode(made.file), truth, within: 2)
        let transparent = try Self.thumbnail(Profiled.file(Self.chart.halfSeen, .png, profile))
        let seen = try decode(transparent.file)
        #expect(seen.layout == .rgba && seen.pixel(3, 3)[3] == 128)
        try expect(seen.opaque, truth, within: 2)
        let webp = try PictureEncoder(.webp).lossless(Self.chart)
        try expect(
            decode(Self.thumbnail(Profiled.file(of: webp, Self.chart, .webp, profile)).file), truth, within: 2)
    }

    @Test("Grey of gamma 2.2 comes within two steps of what lcms2 says, and stays grey in the file")
    func grey() throws {
        let truth = MadeProfiles.truth(Self.greys, MadeProfiles.grey22)
        let made = try Self.thumbnail(Profiled.file(Self.greys, .png, MadeProfiles.grey22))
        let picture = try decode(made.file)
        #expect(made.notes.isEmpty && picture.layout == .grey)
        for (index, sample) in picture.bytes.enumerated() {
            #expect((0..<3).allSatisfy { abs(Double(sample) - truth[index * 3 + $0]) <= 2 })
        }
        for format in [ImageFormat.jpeg, .png] {
            let file = try Profiled.file(Self.greys, format, MadeProfiles.grey22)
            let jpeg = try Self.thumbnail(file) { $0.format = .jpeg }
            #expect(try ImageInfo(bytes: jpeg.file).colorModel == .grey)
            #expect(try decode(jpeg.file).distance(to: picture) <= 6)
        }
    }

    @Test("Inks come within two steps of what lcms2 makes of a printer's table")
    func cmyk() throws {
        let plan = ColorPlan(
            from: MadeProfiles.cmyk, of: .cmyk, ImageInfo(format: .jpeg, width: 125, height: 5), ThumbnailOptions(),
            by: ColorWays())
        #expect(plan.notes.isEmpty && plan.profile.isEmpty)
        try expect(plan.apply(Self.inks), MadeProfiles.truth(Self.inks, MadeProfiles.cmyk), within: 2)
    }

    @Test("Grey with transparency keeps its grey, its alpha and its profile's light")
    func greyAlpha() throws {
        var rows: [UInt8] = []
        for y in 0..<16 {
            rows.append(0)
            for x in 0..<16 { rows += [UInt8(y * 16 + x), UInt8(255 - x)] }
        }
        let chunk = Files.chunk("iCCP", Array("test\0\0".utf8) + Files.zlib(MadeProfiles.grey22))
        let plain = Files.png(header: Files.header(width: 16, height: 16, colors: 4), rows: rows)
        let file = Files.png(plain, inserting: chunk)
        let truth = MadeProfiles.truth(
            Pictures.make(16, 16, .grey) { x, y in [UInt8(y * 16 + x)] }, MadeProfiles.grey22)
        let made = try Self.thumbnail(file)
        let picture = try decode(made.file)
        #expect(made.notes.isEmpty && made.file[25] == 4)
        for y in 0..<16 {
            for x in 0..<16 {
                let pixel = picture.pixel(x, y)
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

    @Test("sRGB, told by a profile or by none, stays as it is", arguments: [MadeProfiles.sRGB, nil])
    func untouched(profile: [UInt8]?) throws {
        let file = try profile.map { try Profiled.file(Self.chart, .png, $0) } ?? Pictures.file(.png, Self.chart)
        #expect(try decode(Self.thumbnail(file).file) == Self.chart)
    }

    @Test("A broken colour profile is a note")
    func broken() throws {
        let broken = Files.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 200))
        let file = Files.jpeg(try Pictures.file(.jpeg, Self.chart), inserting: broken)
        for profile in ThumbnailOptions.Profile.allCases {
            let made = try Self.thumbnail(file) { $0.profile = profile }
            #expect(try ImageInfo(bytes: file).hasProfile && !ImageInfo(bytes: made.file).hasProfile)
            #expect(made.notes == (profile == .strip ? [] : ["colour profile ignored: broken"]))
        }
    }

    private func expect(_ picture: Raster, _ truth: [Double], within steps: Double) throws {
        #expect(picture.layout == .rgb && picture.bytes.count == truth.count)
        let worst = zip(picture.bytes, truth).map { abs(Double($0) - $1) }.max()
        #expect(try #require(worst) <= steps)
    }
}

extension Raster {
    /// The picture at half its opacity.
    var halfSeen: Raster {
        var seen = expanded(to: .rgba)
        for alpha in stride(from: 3, to: seen.bytes.count, by: 4) { seen.bytes[alpha] = 128 }
        return seen
    }

    /// The colours of a picture without its alpha.
    var opaque: Raster {
        let bytes = bytes.enumerated().filter { $0.offset % 4 < 3 }.map(\.element)
        return Raster(width: width, height: height, layout: .rgb, bytes: bytes)
    }
}

extension PictureEncoder {
    /// A file that is the picture.
    func lossless(_ picture: Raster) throws -> [UInt8] {
        var encoder = self
        encoder.isLossless = true
        return try encoder.encode(picture)
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Gain maps that are carried into thumbnails with `--hdr keep`.
@Suite("Kept gain maps", .timeLimit(.minutes(10))) struct KeptGainMapTests {
    private static let rule = GainMapRule(
        channels: [GainMapRule.Channel(leastGain: -1, mostGain: 3, gamma: 0.5)], alternateHeadroom: 2.5)
    private static let colored = GainMapRule(
        channels: (0..<3).map { GainMapRule.Channel(leastGain: -0.25 * Double($0), mostGain: 2, gamma: 1.5) },
        baseHeadroom: 0.5, alternateHeadroom: 4, usesBaseColors: true)
    private static let files = JPEGGainMapFile()

    /// Makes a JPEG of the landscape, whose map is bright in its top left quarter.
    private static func file(
        orientation: Int = 1, map: Raster = quarter(.grey), rule: GainMapRule = rule
    ) throws -> [UInt8] {
        var encoder = ImageEncoder(.jpeg)
        encoder.orientation = orientation
        let picture = try encoder.encode(SampleImages.landscape(160, 120))
        return files.adding(try SampleImages.file(.jpeg, map), rule, to: picture)
    }

    private static func quarter(_ layout: PixelLayout) -> Raster {
        SampleImages.make(80, 60, layout) { x, y in
            [UInt8](repeating: x < 40 && y < 30 ? 240 : 16, count: layout.channels)
        }
    }

    private struct Made {
        let result: ThumbnailResult
        var file: [UInt8] { result.thumbnails[0].bytes }
        var map: GainMap? { files.gainMap(in: ImageInput(file)) }
        func raster() throws -> Raster { try Raster(decoding: #require(map).input) }
    }

    private static func make(
        _ file: [UInt8], _ size: String = "64", _ change: (inout ThumbnailOptions) -> Void = { _ in }
    ) throws -> Made {
        var options = ThumbnailOptions()
        options.sizes = [try #require(ThumbnailSize(size))]
        options.dynamicRange = .keep
        change(&options)
        return Made(result: try Thumbnailer(options).thumbnails(of: file))
    }

    @Test("The map is scaled with the thumbnail, whose own pixels and metadata stay the same")
    func kept() throws {
        let file = try Self.file()
        let made = try Self.make(file)
        let plain = try Self.make(file) { $0.dynamicRange = .sdr }
        #expect(made.map?.rule == Self.rule && made.result.notes.isEmpty)
        let map = try made.raster()
        #expect(map.width == 32 && map.height == 24 && map.layout == .grey)
        #expect(map.pixel(4, 4)[0] > 220 && map.pixel(28, 4)[0] < 36 && map.pixel(4, 20)[0] < 36)
        #expect(plain.map == nil && plain.result.notes == [ImageHeader.gainMapNote])
        #expect(try decode(made.file) == decode(plain.file))
        // Only segments are inserted, and the map follows the picture.
        let tail = plain.file.suffix(plain.file.count - 20)
        #expect(made.file.firstRange(of: tail) != nil)
        #expect(made.result.color == plain.result.color && made.result.phash == plain.result.phash)
    }

    @Test("The map is turned like the picture", arguments: 1...8)
    func orientation(_ orientation: Int) throws {
        let made = try Self.make(Self.file(orientation: orientation))
        let map = try made.raster()
        #expect((map.width, map.height) == (orientation > 4 ? (24, 32) : (32, 24)))
        let isRight = [2, 3, 6, 7].contains(orientation)
        let isBelow = [3, 4, 7, 8].contains(orientation)
        for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
            let value = map.pixel(x ? map.width - 4 : 4, y ? map.height - 4 : 4)[0]
            #expect((value > 128) == (x == isRight && y == isBelow), "\(x) \(y)")
        }
    }

    @Test("The map is cropped like the picture, wherever that is", arguments: [1, 6])
    func crops(orientation: Int) throws {
        // The quarter is at the left end, or at the top end after a turn.
        let file = try Self.file(orientation: orientation)
        let ends: [ThumbnailOptions.Gravity] = orientation == 1 ? [.west, .east] : [.north, .south]
        for gravity in ends {
            let map = try Self.make(file, "32x32") { ($0.fit, $0.gravity) = (.cover, gravity) }.raster()
            #expect(map.width == 16 && map.height == 16)
            let share = map.bytes.count { $0 > 128 }
            // Half of the height and two thirds of the width are bright, or no part.
            #expect(gravity == ends[0] ? abs(share - 85) <= 16 : share <= 48, "\(gravity): \(share)")
        }
    }

    @Test("A crop by attention has the same part of the map")
    func attention() throws {
        // The detail is at the right, and the map has the same stripes as the picture.
        func stripes(_ width: Int, _ height: Int, _ layout: PixelLayout) -> Raster {
            SampleImages.make(width, height, layout) { x, _ in
                [UInt8](repeating: x > width * 3 / 4 && x * 16 / width % 2 == 0 ? 255 : 0, count: layout.channels)
            }
        }
        let picture = try SampleImages.file(.jpeg, stripes(160, 80, .rgb))
        let file = Self.files.adding(try SampleImages.file(.jpeg, stripes(80, 40, .grey)), Self.rule, to: picture)
        let made = try Self.make(file, "40x40") { ($0.fit, $0.gravity) = (.cover, .attention) }
        let thumbnail = try decode(made.file)
        let map = try made.raster()
        let alike = (0..<20).count { abs(thumbnail.pixel($0 * 2 + 1, 20)[0] - map.pixel($0, 10)[0]) < 100 }
        #expect(map.width == 20 && alike >= 17, "\(alike) of 20 places")
        #expect(map.bytes.contains { $0 > 128 })
    }

    @Test("Padding has the value that changes nothing, in the picture's place")
    func padding() throws {
        let made = try Self.make(Self.file(), "64x64") { $0.fit = .pad }
        let map = try made.raster()
        // (0 - -1) / (3 - -1) to the power of 0.5.
        #expect(map.width == 64 && map.height == 64 && abs(map.pixel(32, 2)[0] - 128) <= 4)
        #expect(map.pixel(4, 14)[0] > 220 && map.pixel(60, 40)[0] < 36)
    }

    @Test("The map's profile is kept if its gains apply to the profile's colours", arguments: [true, false])
    func profile(usesBaseColors: Bool) throws {
        var rule = Self.colored
        rule.usesBaseColors = usesBaseColors
        var encoder = ImageEncoder(.jpeg)
        let profile = HandmadeProfiles.rgb(red: [0.5151, 0.2412, -0.0011])
        encoder.metadata.profile = profile
        let map = try encoder.encode(Self.quarter(.rgb))
        let picture = try SampleImages.file(.jpeg, SampleImages.landscape(160, 120))
        let made = try #require(try Self.make(Self.files.adding(map, rule, to: picture)).map)
        let kept = try ImageHeader(of: made.input).readProfile(made.input)
        #expect(made.rule == rule && kept == (usesBaseColors ? nil : profile))
    }

    @Test("Other formats of thumbnails stay as they are, with the note", arguments: [ImageFormat.png, .webp])
    func otherFormats(format: ImageFormat) throws {
        let file = try Self.file()
        let made = try Self.make(file) { $0.format = .fixed(format) }
        let plain = try Self.make(file) { ($0.format, $0.dynamicRange) = (.fixed(format), .sdr) }
        #expect(made.result == plain.result && made.result.notes == [ImageHeader.gainMapNote])
    }

    @Test("A damaged, missing, enlarged or distorted map is left out, with the note")
    func damage() throws {
        let whole = try Self.file()
        let end = try #require(Self.files.gainMap(in: ImageInput(whole))).input.count
        let plain = try Self.make(whole) { $0.dynamicRange = .sdr }.result
        var files = [Array(whole.dropLast(end)), Array(whole.dropLast(10)), Array(whole.dropLast(end / 4))]
        files.append(Array(whole.dropLast(end / 2)) + [UInt8](repeating: 0xFF, count: end / 2))
        files.append(try Self.file(map: SampleImages.plain(320, 240, .grey, [9])))
        files.append(try Self.file(map: SampleImages.plain(80, 40, .grey, [9])))
        for (index, file) in files.enumerated() {
            let made = try Self.make(file)
            #expect(made.map == nil && made.result.notes == plain.notes, "\(index)")
            #expect(made.file == plain.thumbnails[0].bytes, "\(index)")
        }
        let limited = try Self.make(whole) { $0.maxBytes = plain.thumbnails[0].bytes.count }
        #expect(limited.result == plain)
    }

    @Test("Downloads do not end before the map")
    func prefix() throws {
        let file = try SampleImages.file(.jpeg, SampleImages.landscape(400, 300), progressive: true)
        for range in [ThumbnailOptions.DynamicRange.sdr, .keep] {
            var options = ThumbnailOptions()
            (options.sizes, options.dynamicRange) = ([ThumbnailSize(width: 16, height: 16)], range)
            var prefix = SufficientPrefix(options)
            prefix.receive(file.span)
            #expect((prefix.count == nil) == (range == .keep))
        }
    }

    @Test("The binary form is that of ISO 21496-1, with common or separate denominators")
    func standardForm() throws {
        func big(_ values: Int32...) -> [UInt8] { values.flatMap(\.bigEndianBytes) }
        let separate = [0, 0, 0, 0, 0x40] + big(0, 1, 5, 2, -1, 1, 3, 1, 1, 2, 1, 64, 1, 64)
        #expect(GainMapRule(standard: separate[...]) == Self.rule)
        let common = [0, 0, 0, 0, 0x48] + big(64, 0, 160, -64, 192, 32, 1, 1)
        #expect(GainMapRule(standard: common[...]) == Self.rule)
        for rule in [Self.rule, Self.colored] { #expect(GainMapRule(standard: rule.standardForm[...]) == rule) }
        // Cut, for a brighter base, with a division by zero, for later readers, and with a gamma of zero.
        for bytes in [
            common.dropLast(), [0, 0, 0, 0, 0x4C] + common[5...], [0, 0, 0, 0, 0x48] + big(0) + common[9...],
            [0, 1] + common[2...], [0, 0, 0, 0, 0x48] + big(64, 0, 160, -64, 192, 0, 1, 1),
        ] as [ArraySlice<UInt8>] {
            #expect(GainMapRule(standard: bytes) == nil)
        }
    }

    @Test("The properties are read from attributes, elements and lists, and written as such")
    func properties() throws {
        func rule(_ attributes: String, _ elements: String = "") -> GainMapRule? {
            let text =
                "<rdf:Description xmlns:g=\"\(GainMapRule.namespace)\" \(attributes)>\(elements)</rdf:Description>"
            return GainMapRule(xmp: XMPPacket(Array(text.utf8)))
        }
        let plain = GainMapRule(channels: [GainMapRule.Channel(mostGain: 2)], alternateHeadroom: 2)
        #expect(rule("g:GainMapMax=\"2\" g:HDRCapacityMax='2.0'") == plain)
        #expect(rule("g:HDRCapacityMax=\"2\"", "<g:GainMapMax> 2 </g:GainMapMax>") == plain)
        let list =
            "<g:GainMapMax><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li><rdf:li>3</rdf:li></rdf:Seq></g:GainMapMax>"
        #expect(rule("g:HDRCapacityMax=\"2\"", list)?.channels.map(\.mostGain) == [1, 2, 3])
        for bad in [
            "g:GainMapMax=\"2\"", "g:GainMapMax=\"x\" g:HDRCapacityMax=\"2\"",
            "g:GainMapMax=\"nan\" g:HDRCapacityMax=\"2\"", "g:GainMapMax=\"2\" g:HDRCapacityMax=\"0\"",
            "g:GainMapMax=\"2\" g:HDRCapacityMax=\"2\" g:BaseRenditionIsHDR=\"True\"",
        ] {
            #expect(rule(bad) == nil, "\(bad)")
        }
        for written in [Self.rule, Self.colored] {
            #expect(GainMapRule(xmp: XMPPacket(Array(written.packet.utf8))) == written)
        }
    }

    @Test("The index of pictures has the places that CIPA DC-007 defines")
    func index() throws {
        let file = try Self.file(orientation: 6)
        let start = try #require(file.firstRange(of: Array("MPF\0".utf8))?.upperBound)
        func number(_ offset: Int) -> Int { Int(file[(start + offset)..<(start + offset + 4)].number(bigEndian: true)) }
        let map = start + number(74)
        #expect(number(54) == map && number(58) == 0 && map + number(70) == file.count)
        #expect(file[map - 2..<map + 3].elementsEqual([0xFF, 0xD9, 0xFF, 0xD8, 0xFF]))
        let packet = String(decoding: file, as: UTF8.self)
        #expect(packet.contains("Item:Length=\"\(number(70))\""))
        // EXIF stays where readers expect it.
        #expect(try ImageHeader(of: ImageInput(file)).info.orientation == 6)
    }
}

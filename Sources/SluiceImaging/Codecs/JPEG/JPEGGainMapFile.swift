// SPDX-License-Identifier: MIT

/// Reads and writes JPEGs that a gain map follows, which an index of pictures (CIPA DC-007, MPF) locates.
struct JPEGGainMapFile: GainMapHandling {
    private static let xmpName = "http://ns.adobe.com/xap/1.0/\0"
    private static let standardName = "urn:iso:std:iso:ts:21496:-1\0"
    private static let indexName = "MPF\0"
    /// More than any camera writes.
    private static let maxPictures = 16

    func gainMap(in input: ImageInput) -> GainMap? {
        var window = ByteWindow(input)
        for range in (try? Self.pictures(&window)) ?? [] {
            let picture = window.part(range)
            if let rule = try? Self.rule(of: picture) { return GainMap(input: picture, rule: rule) }
        }
        return nil
    }

    /// Returns the places of the pictures after the first.
    private static func pictures(_ window: inout ByteWindow) throws -> [Range<Int>] {
        var segments = JPEGSegments()
        while let segment = try segments.next(in: &window), segment.marker != 0xDA {
            guard segment.marker == 0xE2, let block = try window.content(segment.body, after: indexName) else {
                continue
            }
            return try pictures(Array(window.bytes(block)), at: block.lowerBound, count: window.count)
        }
        return []
    }

    /// Reads an index, whose offsets count from its own start; the first picture has the offset 0.
    private static func pictures(_ block: [UInt8], at start: Int, count: Int) throws -> [Range<Int>] {
        let reader = try EXIFReader(block)
        var ranges: [Range<Int>] = []
        for offset in try reader.entries(at: reader.firstDirectory) where try reader.tag(at: offset) == 0xB002 {
            let entries = try reader.entry(at: offset)?.value.prefix(maxPictures * entryBytes) ?? []
            for entry in stride(from: entryBytes, to: entries.count - entryBytes + 1, by: entryBytes) {
                func number(_ at: Int) -> Int {
                    Int(entries[(entry + at)..<(entry + at + 4)].number(bigEndian: reader.isBigEndian))
                }
                let (size, distance) = (number(4), number(8))
                guard size > 4, distance > 0, start + distance + size <= count else { continue }
                ranges.append(start + distance..<start + distance + size)
            }
        }
        return ranges
    }

    private static let entryBytes = 16

    /// Reads the rule of a picture, in the standard's form or in XMP; `nil` if it is no gain map.
    private static func rule(of picture: ImageInput) throws(ImagingError) -> GainMapRule? {
        var window = ByteWindow(picture)
        guard try window.uint16(at: 0) == 0xFFD8 else { return nil }
        var stated: GainMapRule?
        var segments = JPEGSegments()
        while let segment = try segments.next(in: &window), segment.marker != 0xDA {
            if segment.marker == 0xE2, let form = try window.content(segment.body, after: standardName),
                let rule = GainMapRule(standard: try window.bytes(form))
            {
                return rule
            }
            if stated == nil, segment.marker == 0xE1, let text = try window.content(segment.body, after: xmpName) {
                stated = GainMapRule(xmp: XMPPacket(Array(try window.bytes(text))))
            }
        }
        return stated
    }

    func adding(_ map: [UInt8], _ rule: GainMapRule, to file: [UInt8]) -> [UInt8] {
        var described = Array(map.prefix(2))
        described += Self.segment(0xE1, Self.xmpName, Array(rule.packet.utf8))
        described += Self.segment(0xE2, Self.standardName, rule.standardForm) + map.dropFirst(2)
        let packet = GainMapRule.packet(ofPictureWithMapOf: described.count)
        // The picture has only the version of the standard; readers expect it after JFIF and EXIF.
        let before =
            Self.segment(0xE1, Self.xmpName, Array(packet.utf8))
            + Self.segment(0xE2, Self.standardName, [0, 0, 0, 0])
        let place = Self.place(in: file)
        let index = Self.indexName.utf8.count + 4
        let size = file.count + before.count + index + Self.indexBytes
        let start = place + before.count + index
        let entries = [0x2003_0000, size, 0, 0] + [0, described.count, size - start, 0]
        let list = Self.segment(0xE2, Self.indexName, Self.index(entries))
        return Array(file.prefix(place)) + before + list + file.dropFirst(place) + described
    }

    /// The bytes of an index of two pictures.
    private static let indexBytes = 50 + 2 * entryBytes

    /// Makes an index of pictures, each with its kind, its size, its offset and a number that is not used.
    private static func index(_ entries: [Int]) -> [UInt8] {
        let (undefined, long) = (7, 4)
        var bytes = Array("MM\0*".utf8) + big(8, 4) + big(3, 2)
        bytes += big(0xB000, 2) + big(undefined, 2) + big(4, 4) + Array("0100".utf8)
        bytes += big(0xB001, 2) + big(long, 2) + big(1, 4) + big(2, 4)
        bytes += big(0xB002, 2) + big(undefined, 2) + big(2 * entryBytes, 4) + big(50, 4)
        // No further directory.
        return bytes + big(0, 4) + entries.flatMap { big($0, 4) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ((count - 1 - $0) * 8)) }
    }

    private static func segment(_ marker: UInt8, _ name: String, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(name.utf8.count + content.count + 2, 2) + Array(name.utf8) + content
    }

    /// Returns the offset after the segments that readers expect first, JFIF and EXIF.
    private static func place(in file: [UInt8]) -> Int {
        var offset = 2
        while offset + 4 <= file.count, file[offset] == 0xFF, [0xE0, 0xE1].contains(file[offset + 1]) {
            offset += 2 + Int(file[(offset + 2)..<(offset + 4)].number(bigEndian: true))
        }
        return min(offset, file.count)
    }
}

/// Finds out whether a JPEG has a gain map (Ultra HDR), a second picture from which displays make a brighter one.
///
/// The first picture is complete without it, so Sluice only notes that it is lost.
struct JPEGGainMap {
    /// Starts the segment that ISO 21496-1 defines.
    private static let standardName = "urn:iso:std:iso:ts:21496:-1\0"
    /// Names the XMP properties of earlier files, which tell the version beside a second picture.
    private static let earlierName = Array("http://ns.adobe.com/hdr-gain-map/1.0/".utf8)
    private static let xmpName = "http://ns.adobe.com/xap/1.0/\0"

    private var hasStandardSegment = false
    private var hasEarlierProperties = false
    private var hasSecondPicture = false

    var isPresent: Bool { hasStandardSegment || hasEarlierProperties && hasSecondPicture }

    /// Reads a segment before the first scan.
    mutating func read(_ segment: JPEGSegments.Segment, _ window: inout ByteWindow) throws(ImagingError) {
        if segment.marker == 0xE2 {
            if try window.content(segment.body, after: Self.standardName) != nil { hasStandardSegment = true }
            if try window.content(segment.body, after: "MPF\0") != nil { hasSecondPicture = true }
        } else if segment.marker == 0xE1, let text = try window.content(segment.body, after: Self.xmpName) {
            if try window.bytes(text).firstRange(of: Self.earlierName) != nil { hasEarlierProperties = true }
        }
    }
}

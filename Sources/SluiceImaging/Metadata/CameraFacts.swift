// SPDX-License-Identifier: MIT

/// Facts that a camera recorded about itself and the exposure, by the names of EXIF's tags.
///
/// Serial numbers and the names of people are left out, as is the place unless it is wanted.
package struct CameraFacts: Sendable, Hashable {
    /// The value of a tag.
    package enum Value: Sendable, Hashable {
        case text(String)
        case integer(Int)
        case decimal(Double)
    }

    /// A tag with its value.
    package struct Fact: Sendable, Hashable {
        /// The tag's name, such as `LensModel`.
        package let name: String
        package let value: Value
    }

    /// The facts, in a fixed order.
    package private(set) var facts: [Fact] = []

    /// Reads the header of an image file; `nil` if it is invalid or has no such facts.
    package init?(fileAt descriptor: Int32, withPlace: Bool) {
        guard let input = try? ImageInput(descriptor: descriptor), let header = try? ImageHeader(of: input),
            let exif = header.exifReader(in: input)
        else { return nil }
        self.init(exif, withPlace: withPlace)
    }

    /// Creates the facts of a file without any.
    package init() {}

    /// Replaces the place by another one, `48.858370,2.294481`.
    package mutating func setPlace(_ place: String) {
        let degrees = place.split(separator: ",")
        guard degrees.count == 2 else { return }
        facts.removeAll { $0.name.hasPrefix("GPS") }
        facts.append(Fact(name: "GPSLatitude", value: .text(String(degrees[0]))))
        facts.append(Fact(name: "GPSLongitude", value: .text(String(degrees[1]))))
        facts.sort { $0.name < $1.name }
    }

    /// The place, in the form of ``setPlace(_:)``; `nil` without one, and at the origin, which means an unknown place.
    package var place: String? {
        let degrees = facts.filter { $0.name.hasPrefix("GPS") }.compactMap { fact -> String? in
            if case .text(let text) = fact.value { text } else { nil }
        }
        return degrees.count == 2 && degrees.contains { Double($0) != 0 } ? degrees.joined(separator: ",") : nil
    }

    init?(_ reader: EXIFReader, withPlace: Bool) {
        do throws(EXIFReader.InvalidBlock) {
            let first = try reader.firstDirectory
            let main = try EXIFBlock.entries(in: reader, at: first) { Self.mainTags[$0] != nil }
            let exif = try EXIFBlock.entries(in: reader, under: EXIFBlock.exifDirectoryTag, at: first) {
                Self.exifTags[$0] != nil
            }
            add(main, Self.mainTags, reader)
            add(exif, Self.exifTags, reader)
            if withPlace {
                addPlace(
                    try EXIFBlock.entries(in: reader, under: EXIFBlock.gpsDirectoryTag, at: first) {
                        (1...4).contains($0)
                    }, reader)
            }
        } catch {
            return nil
        }
        guard !facts.isEmpty else { return nil }
        facts.sort { $0.name < $1.name }
    }

    /// How a value is written.
    private enum Kind {
        case text, integer, decimal, fraction
    }

    private static let mainTags: [Int: (String, Kind)] = [0x010F: ("Make", .text), 0x0110: ("Model", .text)]

    private static let exifTags: [Int: (String, Kind)] = [
        0x829A: ("ExposureTime", .fraction), 0x829D: ("FNumber", .decimal), 0x8822: ("ExposureProgram", .integer),
        0x8827: ("ISOSpeedRatings", .integer), 0x9003: ("DateTimeOriginal", .text),
        0x9011: ("OffsetTimeOriginal", .text), 0x9204: ("ExposureBiasValue", .decimal), 0x9209: ("Flash", .integer),
        0x920A: ("FocalLength", .decimal), 0xA405: ("FocalLengthIn35mmFilm", .integer), 0xA433: ("LensMake", .text),
        0xA434: ("LensModel", .text),
    ]

    private mutating func add(_ entries: [EXIFReader.Entry], _ tags: [Int: (String, Kind)], _ reader: EXIFReader) {
        for entry in entries {
            guard let (name, kind) = tags[entry.tag] else { continue }
            let value: Value? =
                switch kind {
                case .text: entry.text.map { .text($0) }
                case .integer: entry.integer(reader).map { .integer($0) }
                case .decimal: entry.rational(reader).map { .decimal(Double($0.0) / Double($0.1)) }
                case .fraction: entry.rational(reader).map { .text("\($0.0)/\($0.1)") }
                }
            if let value { facts.append(Fact(name: name, value: value)) }
        }
    }

    /// Adds the latitude and the longitude in degrees; south and west are negative.
    private mutating func addPlace(_ entries: [EXIFReader.Entry], _ reader: EXIFReader) {
        for (name, reference, tag, negative, limit) in [
            ("GPSLatitude", 1, 2, "S", 90.0), ("GPSLongitude", 3, 4, "W", 180.0),
        ] {
            guard let angle = entries.first(where: { $0.tag == tag }),
                let degrees = angle.rational(reader, 0), let minutes = angle.rational(reader, 1),
                let seconds = angle.rational(reader, 2),
                let side = entries.first(where: { $0.tag == reference })?.text
            else { continue }
            let parts = [degrees, minutes, seconds].map { Double($0.0) / Double($0.1) }
            let value = parts[0] + parts[1] / 60 + parts[2] / 3600
            guard (0...limit).contains(value) else { continue }
            let millionths = Int((value * 1_000_000).rounded())
            let fraction = String(1_000_000 + millionths % 1_000_000).dropFirst()
            let sign = side == negative ? "-" : ""
            facts.append(Fact(name: name, value: .text("\(sign)\(millionths / 1_000_000).\(fraction)")))
        }
    }
}

extension EXIFReader.Entry {
    /// The longest text that is a fact of the camera.
    private static let maximumText = 200

    fileprivate var text: String? { text(limit: Self.maximumText) }

    /// The text without the zero byte and the blanks at its end; `nil` if it is empty or of another type.
    func text(limit: Int) -> String? {
        guard type == 2 else { return nil }
        let text = IPTCRecord.text(value.prefix(limit).prefix { $0 != 0 })
        let end = text.lastIndex { !$0.isWhitespace }
        return end.map { String(text[...$0]) }
    }

    /// The first 16-bit or 32-bit integer.
    func integer(_ reader: EXIFReader) -> Int? {
        guard type == 3 || type == 4, count > 0 else { return nil }
        return Int(value.prefix(type == 3 ? 2 : 4).number(bigEndian: reader.isBigEndian))
    }

    /// The rational number with an index, whose denominator is not 0.
    fileprivate func rational(_ reader: EXIFReader, _ index: Int = 0) -> (Int, Int)? {
        guard type == 5 || type == 10, index < count else { return nil }
        let parts = [0, 4].map { offset in
            let start = index * 8 + offset
            let number = value[start..<start + 4].number(bigEndian: reader.isBigEndian)
            return type == 10 ? Int(Int32(bitPattern: number)) : Int(number)
        }
        return parts[1] == 0 ? nil : (parts[0], parts[1])
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceSystem

/// How displays of high dynamic range compute a brighter picture from a picture and its gain map (ISO 21496-1).
struct GainMapRule: Hashable {
    /// The values for one channel; gains are powers of two.
    struct Channel: Hashable {
        var leastGain = 0.0
        var mostGain: Double
        var gamma = 1.0
        var baseOffset = 1.0 / 64
        var alternateOffset = 1.0 / 64

        var isValid: Bool {
            let all = [leastGain, mostGain, gamma, baseOffset, alternateOffset]
            return all.allSatisfy(GainMapRule.isPlausible) && leastGain <= mostGain && gamma > 0 && baseOffset >= 0
                && alternateOffset >= 0
        }
    }

    /// One entry for all channels, or three.
    var channels: [Channel]
    /// The display's headroom, as a power of two, up to which the picture is shown without its map.
    var baseHeadroom = 0.0
    /// The headroom from which the map counts fully.
    var alternateHeadroom: Double
    /// Whether the gains apply to the picture's colours, not to those of the map's profile.
    var usesBaseColors = true

    /// The XMP namespace of the properties with the same values.
    static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"

    fileprivate static func isPlausible(_ value: Double) -> Bool { value.isFinite && abs(value) <= 1000 }

    private var isValid: Bool {
        channels.allSatisfy(\.isValid) && Self.isPlausible(baseHeadroom) && Self.isPlausible(alternateHeadroom)
            && baseHeadroom >= 0 && alternateHeadroom > baseHeadroom
    }

    /// Returns the rule if all its values are possible.
    private var checked: GainMapRule? { isValid ? self : nil }

    /// Returns the map's value of a channel where it changes least.
    private func neutralValue(_ channel: Int) -> UInt8 {
        let channel = channels[min(channel, channels.count - 1)]
        let range = channel.mostGain - channel.leastGain
        guard range > 0 else { return 0 }
        return UInt8((pow(min(max(-channel.leastGain / range, 0), 1), channel.gamma) * 255).rounded())
    }
}

extension GainMapRule {
    /// The map's colour where it changes nothing, or as little as it can.
    var neutralColor: BackgroundColor {
        BackgroundColor(red: neutralValue(0), green: neutralValue(1), blue: neutralValue(2))
    }

    /// Reads the binary form of ISO 21496-1; `nil` if it is damaged, or describes a map that makes pictures darker.
    init?(standard bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func next(_ count: Int) -> UInt32? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).number(bigEndian: true)
        }
        // The least version of a reader, that of the writer, and the flags.
        guard next(2) == 0, next(2) != nil, let flags = next(1), flags & Flag.backward == 0 else { return nil }
        let common = flags & Flag.commonDenominator == 0 ? nil : next(4)
        guard flags & Flag.commonDenominator == 0 || common != nil else { return nil }
        func number(isSigned: Bool) -> Double {
            guard let number = next(4), let denominator = common ?? next(4), denominator > 0 else { return .nan }
            return (isSigned ? Double(Int32(bitPattern: number)) : Double(number)) / Double(denominator)
        }
        baseHeadroom = number(isSigned: false)
        alternateHeadroom = number(isSigned: false)
        usesBaseColors = flags & Flag.baseColors != 0
        channels = []
        for _ in 0..<(flags & Flag.threeChannels != 0 ? 3 : 1) {
            let (least, most) = (number(isSigned: true), number(isSigned: true))
            let gamma = number(isSigned: false)
            channels.append(
                Channel(
                    leastGain: least, mostGain: most, gamma: gamma, baseOffset: number(isSigned: true),
                    alternateOffset: number(isSigned: true)))
        }
        guard let checked else { return nil }
        self = checked
    }

    private enum Flag {
        static let threeChannels: UInt32 = 0x80
        static let baseColors: UInt32 = 0x40
        static let commonDenominator: UInt32 = 0x08
        static let backward: UInt32 = 0x04
    }

    /// The denominator of all written numbers.
    private static let denominator = 1_000_000

    /// Returns a number in units of the denominator.
    private static func units(_ value: Double) -> Int { Int((value * Double(denominator)).rounded()) }

    /// The binary form of ISO 21496-1.
    var standardForm: [UInt8] {
        let flags =
            Flag.commonDenominator | (channels.count > 1 ? Flag.threeChannels : 0)
            | (usesBaseColors ? Flag.baseColors : 0)
        var numbers = [Self.denominator, Self.units(baseHeadroom), Self.units(alternateHeadroom)]
        for channel in channels {
            numbers += [
                channel.leastGain, channel.mostGain, channel.gamma, channel.baseOffset, channel.alternateOffset,
            ].map(Self.units)
        }
        return [0, 0, 0, 0, UInt8(flags)]
            + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) } }
    }
}

extension GainMapRule {
    /// Reads the properties of an XMP packet; `nil` if they are missing or invalid, or if the picture is the brighter
    /// one.
    init?(xmp packet: XMPPacket) {
        func numbers(_ name: String) -> [Double] {
            packet.texts(of: name, in: Self.namespace).map { Double($0) ?? .nan }
        }
        let isBaseBrighter = packet.texts(of: "BaseRenditionIsHDR", in: Self.namespace).first == "True"
        let most = numbers("GainMapMax")
        guard !isBaseBrighter, !most.isEmpty, let headroom = numbers("HDRCapacityMax").first else { return nil }
        let lists = [numbers("GainMapMin"), most, numbers("Gamma"), numbers("OffsetSDR"), numbers("OffsetHDR")]
        let count = lists.contains { $0.count > 1 } ? 3 : 1
        guard lists.allSatisfy({ [0, 1, count].contains($0.count) }) else { return nil }
        channels = (0..<count).map { index in
            func value(_ list: Int, _ fallback: Double) -> Double {
                let values = lists[list]
                return values.isEmpty ? fallback : values[min(index, values.count - 1)]
            }
            return Channel(
                leastGain: value(0, 0), mostGain: value(1, 0), gamma: value(2, 1), baseOffset: value(3, 1 / 64),
                alternateOffset: value(4, 1 / 64))
        }
        baseHeadroom = numbers("HDRCapacityMin").first ?? 0
        alternateHeadroom = headroom
        guard let checked else { return nil }
        self = checked
    }

    /// The XMP packet of the map; some readers know single values as attributes only.
    var packet: String {
        var attributes =
            "hdrgm:HDRCapacityMin=\"\(Self.text(baseHeadroom))\" "
            + "hdrgm:HDRCapacityMax=\"\(Self.text(alternateHeadroom))\" hdrgm:BaseRenditionIsHDR=\"False\""
        var lists = ""
        let properties: [(String, (Channel) -> Double)] = [
            ("GainMapMin", \.leastGain), ("GainMapMax", \.mostGain), ("Gamma", \.gamma), ("OffsetSDR", \.baseOffset),
            ("OffsetHDR", \.alternateOffset),
        ]
        for (name, value) in properties {
            let texts = channels.map { Self.text(value($0)) }
            if Set(texts).count == 1 {
                attributes += " hdrgm:\(name)=\"\(texts[0])\""
            } else {
                let items = texts.map { "<rdf:li>\($0)</rdf:li>" }.joined()
                lists += "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
            }
        }
        return Self.packet(attributes: attributes, lists)
    }

    /// Returns the XMP packet of a picture that its map of `count` bytes follows.
    static func packet(ofPictureWithMapOf count: Int) -> String {
        func item(_ attributes: String) -> String {
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item \(attributes)/></rdf:li>"
        }
        let items =
            item("Item:Semantic=\"Primary\" Item:Mime=\"image/jpeg\"")
            + item("Item:Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" Item:Length=\"\(count)\"")
        return packet(
            attributes: "xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" "
                + "xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\"",
            "<Container:Directory><rdf:Seq>\(items)</rdf:Seq></Container:Directory>")
    }

    private static func packet(attributes: String, _ properties: String) -> String {
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(namespace)\" hdrgm:Version=\"1.0\" \(attributes)>"
            + "\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>"
    }

    /// Formats a number without an exponent.
    private static func text(_ value: Double) -> String {
        let number = units(value)
        let digits = String(number.magnitude % UInt(denominator) + UInt(denominator)).dropFirst()
        return "\(number < 0 ? "-" : "")\(number.magnitude / UInt(denominator)).\(digits)"
    }
}

/// A second picture in a file, from which displays of high dynamic range make the first one brighter.
struct GainMap {
    /// The map, a file of its own.
    let input: ImageInput
    let rule: GainMapRule
}

/// Reads and writes gain maps in files of one format.
protocol GainMapHandling: Sendable {
    /// Returns a file's gain map; `nil` if it has none, or one that is damaged.
    func gainMap(in input: ImageInput) -> GainMap?

    /// Returns a file with a gain map, which is a file of the same format.
    func adding(_ map: [UInt8], _ rule: GainMapRule, to file: [UInt8]) -> [UInt8]
}

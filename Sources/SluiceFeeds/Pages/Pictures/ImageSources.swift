// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The addresses of an image element, also those that its page's scripts would load later.
struct ImageSources {
    /// The addresses, the usual one first.
    let all: [PagePicture.Source]

    init(_ attributes: HTMLAttributes) {
        let found = attributes.pairs.compactMap { AddressAttribute($0.name, $0.value) }
        func sources(_ role: AddressAttribute.Role) -> [PagePicture.Source] {
            found.filter { $0.role == role }.flatMap(\.sources)
        }
        let own = attributes["src"].map { [PagePicture.Source(address: $0)] } ?? []
        let set = attributes["srcset"].map(SrcSet.sources) ?? []
        let later = sources(.later)
        var usual = own + set
        // Beside an address for later, `src` is a placeholder that many pictures share.
        if !later.isEmpty { usual = later + set.filter { $0.width != nil } }
        usual += sources(.other)
        if usual.allSatisfy({ $0.address.hasPrefix("data:") }) { usual += sources(.reduced) + Self.guessed(attributes) }
        all = Array((usual + AddressAttribute.full(found)).prefix(SrcSet.maxCandidates))
    }

    /// Returns the picture files that other attributes of a placeholder name.
    private static func guessed(_ attributes: HTMLAttributes) -> [PagePicture.Source] {
        let addresses = attributes.values.filter { AddressAttribute.isAddress($0) && PictureName.isPicture($0) }
        return addresses.prefix(8).map { PagePicture.Source(address: $0) }
    }
}

/// An attribute whose value is the address of a picture, a list of them as in `srcset`, or JSON with some.
struct AddressAttribute {
    /// What the attribute's name says about the addresses.
    enum Role: Sendable {
        /// Scripts copy it to `src`.
        case later
        /// It is that of the large version.
        case full
        /// It is that of a thumbnail or a placeholder.
        case reduced
        /// It is that of a background.
        case background
        case other
    }

    /// The attributes that HTML defines for other purposes, or that are read elsewhere.
    private static let standard: TextSet = [
        "src", "srcset", "alt", "title", "class", "id", "style", "sizes", "width", "height", "href", "longdesc",
        "usemap", "content", "name", "type", "media", "rel", "role", "value", "action", "data", "cite", "poster",
        "xlink:href", "placeholder",
    ]
    private static let texts: TextSet = [
        "title", "alt", "caption", "name", "filename", "description", "label", "permalink", "text",
    ]
    /// The words for the large version, the largest first.
    private static let fullWords = [
        "orig", "full", "zoom", "hires", "highres", "high", "hi", "hd", "retina", "max", "large", "big", "lightbox",
    ]
    private static let words: [(role: Role, words: TextSet)] = [
        (.full, TextSet(fullWords)),
        (
            .reduced,
            [
                "thumb", "thumbnail", "small", "low", "lowsrc", "preview", "placeholder", "tiny", "blur", "lqip",
                "fallback", "error", "default",
            ]
        ),
        (.background, ["bg", "background"]),
        (.later, ["src", "srcset", "lazy", "original", "echo", "set"]),
    ]
    private static let pictureWords: TextSet = [
        "src", "lazy", "original", "orig", "image", "img", "picture", "photo", "echo",
    ]

    let role: Role
    let sources: [PagePicture.Source]
    /// The place of the name among those of large versions.
    private let order: Int

    /// Reads an attribute; `nil` if it holds no address of a picture.
    init?(_ name: String, _ text: String) {
        guard text.utf8.count > 4, text.utf8.contains(UInt8(ascii: ".")) || text.utf8.contains(UInt8(ascii: "/")),
            !Self.standard.contains(name), !name.hasPrefix("aria-"), !name.hasPrefix("on")
        else { return nil }
        let words = name.split { $0 == "-" || $0 == "_" || $0 == ":" || $0 == "." }.map(String.init)
        guard !words.contains(where: Self.texts.contains) else { return nil }
        let isNamed = words.contains { Self.pictureWords.contains($0) || $0.hasSuffix("src") || $0.hasSuffix("srcset") }
        sources = Self.sources(text.trimmed, isNamed: isNamed)
        guard !sources.isEmpty else { return nil }
        let isLater = words.contains { $0.hasSuffix("src") || $0.hasSuffix("srcset") }
        role =
            Self.words.first { !$0.words.isDisjoint(with: words) }?.role ?? (isLater ? .later : .other)
        order = Self.fullWords.firstIndex(where: words.contains) ?? 0
    }

    /// Returns the addresses of large versions, the largest first.
    static func full(_ attributes: [AddressAttribute]) -> [PagePicture.Source] {
        attributes.filter { $0.role == .full }.sorted { $0.order < $1.order }.flatMap { attribute in
            attribute.sources.map { source in
                var source = source
                source.isFull = true
                return source
            }
        }
    }

    private static func sources(_ text: String, isNamed: Bool) -> [PagePicture.Source] {
        if let first = text.first, first == "{" || first == "[" {
            return LenientJSON.value(text).map(ScriptPictures.sources) ?? []
        }
        if isAddress(text) {
            let isPicture = PictureName.isPicture(text) && (isNamed || text.contains("/"))
            return isPicture || isNamed ? [PagePicture.Source(address: text)] : []
        }
        guard text.contains(" "), isNamed || text.contains("/") else { return [] }
        let sources = SrcSet.sources(text)
        return sources.allSatisfy { isAddress($0.address) && ($0.width != nil || $0.density != nil || isNamed) }
            ? sources : []
    }

    /// Returns the address of the picture that a link shows by a script: `javascript:show('lake.jpg')`.
    static func picture(inScript link: String) -> String? {
        guard link.prefix(11).lowercased() == "javascript:", link.utf8.count < 2 << 10 else { return nil }
        return link.split { "'\"".contains($0) }.map(String.init).first { isAddress($0) && PictureName.isPicture($0) }
    }

    /// Whether a value can be the address of a picture.
    static func isAddress(_ text: String) -> Bool {
        guard text.contains("/") || text.contains("."), let first = text.first, !"{['\"".contains(first) else {
            return false
        }
        return !text.contains { $0.isWhitespace || $0 == "{" || $0 == "<" }
    }
}

/// Parses `srcset` as browsers do: addresses with a width (`640w`) or a density (`2x`).
enum SrcSet {
    /// The maximum number of addresses; the rest is ignored.
    static let maxCandidates = 100

    static func sources(_ text: String) -> [PagePicture.Source] {
        var sources: [PagePicture.Source] = []
        var rest = text[...]
        while sources.count < maxCandidates {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            let address = rest.prefix { !$0.isWhitespace }
            guard !address.isEmpty else { break }
            rest = rest.dropFirst(address.count)
            var source = PagePicture.Source(address: String(address))
            if address.last == "," {
                source.address = String(source.address.reversed().drop { $0 == "," }.reversed())
            } else {
                let descriptors = rest.prefix { $0 != "," }
                rest = rest.dropFirst(descriptors.count)
                for word in descriptors.split(whereSeparator: \.isWhitespace) { read(word, into: &source) }
            }
            sources.append(source)
        }
        return sources
    }

    /// Returns the order of the viewports of a media query: positive from a minimum width on, negative up to a maximum,
    /// zero for any.
    static func viewport(_ media: String) -> Int {
        func width(_ name: String) -> Int? {
            guard let range = media.firstRange(of: name) else { return nil }
            let text = media[range.upperBound...].drop { $0 == ":" || $0.isWhitespace }
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let isRelative = text.dropFirst(digits.count).drop { $0 == "." || $0.isNumber }.hasPrefix("em")
            return Int(digits)?.within(1...maxViewport).map { isRelative ? 16 * $0 : $0 }
        }
        return width("min-width") ?? width("max-width").map { $0 - 32 * maxViewport } ?? 0
    }

    private static let maxViewport = 100_000

    private static func read(_ word: Substring, into source: inout PagePicture.Source) {
        if word.last == "w", let width = Int(word.dropLast()), (1...1_000_000).contains(width) {
            source.width = width
        } else if word.last == "x", let density = Double(word.dropLast()), density > 0, density < 100 {
            source.density = density
        }
    }
}

/// The pictures in the style of an element, such as `background-image: url('lake.jpg')`.
enum StyleImages {
    private static let properties: Set<String> = ["background", "background-image"]
    /// The maximum length of a style in bytes; a longer one is ignored.
    private static let maxLength = 4 << 10
    /// The maximum number of addresses; the rest is ignored.
    private static let maxAddresses = 8

    /// Returns the addresses that end like pictures.
    static func addresses(in style: String) -> [String] {
        guard style.utf8.count <= maxLength else { return [] }
        var (addresses, rest): ([String], Substring) = ([], style[...])
        while addresses.count < maxAddresses, let colon = rest.firstIndex(of: ":") {
            let name = String(rest[..<colon]).trimmed.lowercased()
            let value = value(at: rest[rest.index(after: colon)...])
            rest = rest[value.endIndex...].dropFirst()
            if properties.contains(name) { addresses += urls(in: value).filter(PictureName.isPicture) }
        }
        return Array(addresses.prefix(maxAddresses))
    }

    /// Returns a declaration's value: the text before the first semicolon outside of parentheses.
    private static func value(at text: Substring) -> Substring {
        var depth = 0
        return text.prefix { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character != ";" || depth > 0
        }
    }

    private static func urls(in value: Substring) -> [String] {
        var (urls, rest): ([String], Substring) = ([], value)
        while let start = rest.firstRange(of: "url(") {
            let inside = rest[start.upperBound...].prefix { $0 != ")" }
            rest = rest[inside.endIndex...]
            let address = String(inside).trimmed
            let isQuoted = address.count > 1 && address.first == address.last && "\"'".contains(address.prefix(1))
            urls.append(isQuoted ? String(address.dropFirst().dropLast()).trimmed : address)
        }
        return urls
    }
}

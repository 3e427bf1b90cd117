// SPDX-License-Identifier: MIT

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

    private static func read(_ word: Substring, into source: inout PagePicture.Source) {
        if word.last == "w", let width = Int(word.dropLast()), (1...1_000_000).contains(width) {
            source.width = width
        } else if word.last == "x", let density = Double(word.dropLast()), density > 0, density < 100 {
            source.density = density
        }
    }
}

/// The addresses of an image element, also those that its page's scripts would load later.
struct ImageSources {
    /// Attributes with one address, which scripts copy to `src`.
    private static let lazyNames = [
        "data-src", "data-lazy-src", "data-original", "data-lazy", "data-original-src", "data-img-src", "data-image",
        "data-url", "data-echo",
    ]
    private static let lazySetNames = ["data-srcset", "data-lazy-srcset", "data-original-set", "data-src-set"]
    /// Attributes with the address of the largest version.
    private static let fullNames = [
        "data-orig-file", "data-full-src", "data-full", "data-zoom-image", "data-zoom-src", "data-high-res-src",
        "data-hi-res-src", "data-hires", "data-highres", "data-large-file", "data-large", "data-large-src",
    ]

    /// The addresses, the usual one first.
    let all: [PagePicture.Source]

    init(_ attributes: HTMLAttributes) {
        let sets = Self.lazySetNames.compactMap { attributes[$0] }.flatMap(SrcSet.sources)
        var lazy = Self.lazyNames.compactMap { attributes[$0] }.flatMap(Self.sources) + sets
        let own = attributes["src"].map { [PagePicture.Source(address: $0)] } ?? []
        let set = attributes["srcset"].map(SrcSet.sources) ?? []
        let isPlaceholder = (own + set).allSatisfy { $0.address.hasPrefix("data:") }
        if lazy.isEmpty, isPlaceholder { lazy = Self.guessed(attributes) }
        var full: [PagePicture.Source] = []
        if let name = Self.fullNames.first(where: { attributes[$0].map(Self.isAddress) == true }) {
            full = [PagePicture.Source(address: attributes[name] ?? "", isFull: true)]
        }
        // Beside an address for later, `src` is a placeholder that many pictures share.
        all = (lazy.isEmpty ? own + set : lazy + set.filter { $0.width != nil }) + full
    }

    /// Reads an attribute that holds one address, or is written like `srcset`.
    private static func sources(_ text: String) -> [PagePicture.Source] {
        if isAddress(text) { return [PagePicture.Source(address: text)] }
        return text.contains(" ") && !text.hasPrefix("{") && !text.hasPrefix("[")
            ? SrcSet.sources(text).filter { isAddress($0.address) } : []
    }

    /// Whether a value can be the address of a picture.
    private static func isAddress(_ text: String) -> Bool {
        guard text.contains("/") || text.contains("."), let first = text.first, first != "{", first != "[" else {
            return false
        }
        return !text.contains { $0.isWhitespace || $0 == "{" || $0 == "<" }
    }

    /// Returns the picture files that other attributes of a placeholder name.
    private static func guessed(_ attributes: HTMLAttributes) -> [PagePicture.Source] {
        let addresses = attributes.values.filter { isAddress($0) && PictureName.isPicture($0) }
        return addresses.prefix(8).map { PagePicture.Source(address: $0) }
    }
}

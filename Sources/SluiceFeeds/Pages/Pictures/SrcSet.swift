// SPDX-License-Identifier: MIT

internal import SluiceModel

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

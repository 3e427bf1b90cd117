// SPDX-License-Identifier: MIT

/// What is left of a foreign text as part of a file's name: lower-case ASCII letters, digits and single hyphens.
struct Slug: Sendable, Hashable {
    /// The longest slug, in bytes; with its number and extension it stays below every file system's limit.
    static let limit = 48

    /// The slug of a text of which nothing is left.
    static let none = Slug(unchecked: "photo")

    let text: String

    /// Makes a slug of as many whole words as fit; `nil` if the text has no letter or digit that ASCII can stand for.
    init?(_ foreign: String) {
        var text = ""
        for word in Self.words(in: foreign) {
            if text.isEmpty {
                text = String(word.prefix(Self.limit))
            } else if text.utf8.count + 1 + word.utf8.count <= Self.limit {
                text += "-" + word
            } else {
                break
            }
        }
        guard !text.isEmpty else { return nil }
        self.text = Self.isReserved(text) ? "\(text)-photo" : text
    }

    private init(unchecked text: String) {
        self.text = text
    }

    /// The words, at most as much of them as can matter: the text may be a book.
    private static func words(in foreign: String) -> [String] {
        var words = [""]
        for scalar in foreign.unicodeScalars.prefix(4 * limit) {
            guard let letters = Fold.ascii(scalar) else {
                if words.last?.isEmpty == false { words.append("") }
                continue
            }
            words[words.count - 1] += letters
        }
        return words.filter { !$0.isEmpty }
    }

    /// Whether Windows keeps the name for a device.
    private static func isReserved(_ text: String) -> Bool {
        if ["con", "prn", "aux", "nul"].contains(text) { return true }
        return text.utf8.count == 4 && (text.hasPrefix("com") || text.hasPrefix("lpt")) && text.last?.isNumber == true
    }
}

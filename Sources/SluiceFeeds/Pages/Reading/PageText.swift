// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Collects the texts of a page that are of use: its title, captions, JSON-LD, scripts' data.
///
/// At most one text of each kind is open, so that nested elements cost nothing.
struct PageText {
    enum Kind: Int, CaseIterable {
        case title, link, caption, credit, structured, script

        /// The maximum length in bytes.
        var limit: Int {
            switch self {
            case .structured, .script: 2 << 20
            case .title, .link: 1 << 10
            case .caption, .credit: 4 << 10
            }
        }
    }

    private var texts: [String?] = Array(repeating: nil, count: Kind.allCases.count)
    private var count = 0

    var isCapturing: Bool { count > 0 }

    /// Begins a text; returns `nil` if one of its kind is open.
    mutating func begin(_ kind: Kind) -> Kind? {
        guard texts[kind.rawValue] == nil else { return nil }
        texts[kind.rawValue] = ""
        count += 1
        return kind
    }

    mutating func add(_ text: String) {
        for kind in Kind.allCases {
            guard let length = texts[kind.rawValue]?.utf8.count, length < kind.limit else { continue }
            texts[kind.rawValue]?.append(text)
        }
    }

    /// Ends a text and returns it.
    mutating func end(_ kind: Kind) -> String {
        defer {
            texts[kind.rawValue] = nil
            count -= 1
        }
        return texts[kind.rawValue] ?? ""
    }

    /// Returns the text on one line; `nil` if it is empty.
    static func line(_ text: String) -> String? {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty ? nil : line.truncated(to: Photo.maxTextLength)
    }
}

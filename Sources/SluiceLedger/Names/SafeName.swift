// SPDX-License-Identifier: MIT

#if !canImport(Darwin)
    // The standard library's own composition, which needs no Foundation.
    @_spi(_Unicode) internal import Swift
#endif

/// A part of a path that every file system takes as it is, and that shows what a foreign text said as far as it may.
///
/// Letters of every script stay. What some system gives a meaning to does not: separators and what looks like them,
/// wildcards, controls, marks of direction, dots and blanks at either end, names of devices.
struct SafeName: Sendable, Hashable {
    /// The most bytes: with a hash and an extension behind it it stays below the least limit in use (143, eCryptfs).
    static let limit = 120
    /// What stands for a text of which nothing is left.
    static let nothing = "photo"

    let text: String

    /// Makes a name of a text; one of a folder never looks like a picture's file.
    init(_ foreign: String, isFolder: Bool = false) {
        var name = Self.trimmed(Self.cut(Self.composed(Self.plain(foreign))))
        if isFolder, let ending = Self.pictureEnding(of: name) {
            name = "\(name.dropLast(ending.count))-\(ending.dropFirst())"
        }
        if Self.isReserved(name) { name = "\(name.prefix { $0 != "." })-\(name.drop { $0 != "." })" }
        text = name.isEmpty ? Self.nothing : name
    }

    /// The name as file systems that ignore the case of letters compare it; two names are one file if these are the same.
    static func folded(_ name: String) -> String {
        composed(name.lowercased().uppercased().lowercased())
    }

    /// The text with every sign that may do harm replaced by a hyphen, and without invisible ones.
    private static func plain(_ foreign: String) -> String {
        var plain = String.UnicodeScalarView()
        // The text may be a book, and marks without end may stand on one letter.
        for scalar in foreign.unicodeScalars.prefix(8 * limit) {
            switch scalar {
            case "/", "\\", ":", "*", "?", "\"", "<", ">", "|", "\u{2044}", "\u{2215}", "\u{2216}", "\u{29F5}",
                "\u{29F8}",
                "\u{FE68}", "\u{FF0F}", "\u{FF3C}", "\u{FF1A}":
                plain.append("-")
            case "\u{2024}", "\u{FF0E}", "\u{FE52}": plain.append(".")
            default:
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: plain.append(" ")
                case .format, .privateUse, .surrogate, .unassigned: break
                default: plain.append(scalar)
                }
            }
        }
        return String(plain)
    }

    /// The text in Unicode's composed form (NFC), as most systems write it.
    private static func composed(_ text: String) -> String {
        #if canImport(Darwin)
            // Its file systems compose and compare by themselves.
            text
        #else
            String(String.UnicodeScalarView(text._nfc))
        #endif
    }

    /// As many whole characters as fit.
    private static func cut(_ text: String) -> String {
        var short = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            // One letter under a heap of marks is none.
            guard count <= limit else { break }
            short.append(character)
        }
        return short
    }

    /// The text without dots and blanks at its ends, and without a hyphen at its start, where it would be an option.
    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0 == "." || $0 == " " || $0 == "-" }
        return String(start.reversed().drop { $0 == "." || $0 == " " }.reversed())
    }

    private static func pictureEnding(of name: String) -> String? {
        [".jpg", ".png", ".webp"].first { name.lowercased().hasSuffix($0) }
    }

    /// Whether Windows keeps the name for a device, whatever stands behind its first dot.
    private static func isReserved(_ name: String) -> Bool {
        var device = name.prefix { $0 != "." }.lowercased()
        while device.hasSuffix(" ") { device.removeLast() }
        if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(device) { return true }
        return device.count == 4 && (device.hasPrefix("com") || device.hasPrefix("lpt"))
            && "0123456789¹²³".contains(device.last ?? " ")
    }
}

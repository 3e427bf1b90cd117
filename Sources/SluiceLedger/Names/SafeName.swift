// SPDX-License-Identifier: MIT

internal import SluiceModel

#if !canImport(Darwin)
    // The standard library's Unicode normalization, which does not require Foundation.
    @_spi(_Unicode) internal import Swift
#endif

/// A path component made from untrusted text that is valid on every file system.
///
/// Letters of every script are kept. Everything with a special meaning on some system is removed or replaced:
/// separators and their lookalikes, wildcards, control characters, direction marks, leading and trailing dots and
/// spaces, and device names.
struct SafeName: Sendable, Hashable {
    /// The maximum length in bytes; with a hash and an extension it stays below the smallest limit in use (143,
    /// eCryptfs).
    static let limit = 120
    /// The length limit of a hash and a position in bytes, which make a name unique.
    private static let maxSuffix = 40
    /// The maximum number of components of a path.
    static let maxDepth = 8
    /// The name for a text without usable characters.
    static let fallback = "photo"

    let text: String

    /// Creates a name from a text; a folder's name never has an image file's extension.
    init(_ foreign: String, isFolder: Bool = false) {
        var name = Self.trimmed(Self.cut(Self.composed(Self.replacingUnsafe(foreign))))
        if isFolder, let ending = Self.pictureEnding(of: name) {
            name = "\(name.dropLast(ending.count))-\(ending.dropFirst())"
        }
        if Self.isReserved(name) {
            let end = Self.stemEnd(of: name)
            name = "\(name[..<end])-\(name[end...])"
        }
        text = name.isEmpty ? Self.fallback : name
    }

    /// Whether a path consists of safe names, which may have a hash and a position appended.
    static func consists(path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.count <= maxDepth
            && parts.enumerated().allSatisfy { index, part in
                let isFolder = index < parts.count - 1
                guard !part.isEmpty, part.utf8.count <= limit + maxSuffix, !isReserved(part),
                    !isFolder || pictureEnding(of: part) == nil
                else { return false }
                return trimmed(composed(replacingUnsafe(part))).utf8.elementsEqual(part.utf8)
            }
    }

    /// Returns the name as case-insensitive file systems compare it.
    static func folded(_ name: String) -> String {
        isASCII(name) ? name.lowercased() : composed(name.lowercased().uppercased().lowercased())
    }

    /// Returns a number that names have in common if a case-insensitive file system cannot tell them apart.
    ///
    /// If other names have the same number by chance, the later one only gets a hash appended.
    static func key(of name: String) -> Int { Fingerprint(of: [folded(name)]).value }

    /// Replaces unsafe characters with hyphens and removes invisible ones.
    private static func replacingUnsafe(_ foreign: String) -> String {
        let bytes = foreign.utf8Span.span
        if bytes.count <= limit, bytes.allSatisfy(isPlain) { return foreign }
        var plain = String.UnicodeScalarView()
        // Limits the work for very long texts and for letters with very many combining marks.
        for scalar in foreign.unicodeScalars.prefix(8 * limit) {
            switch scalar {
            case "/", "\\", ":", "*", "?", "\"", "<", ">", "|", "\u{2044}", "\u{2215}", "\u{2216}", "\u{29F5}",
                "\u{29F8}",
                "\u{FE68}", "\u{FF0F}", "\u{FF3C}", "\u{FF1A}":
                plain.append("-")
            case "\u{2024}", "\u{FF0E}", "\u{FE52}": plain.append(".")
            case "!"..."~": plain.append(scalar)
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

    /// Whether the byte is a character that every file system allows; most names consist of these.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: " ") || (0x2B...0x2E).contains(byte) || byte == 0x5F
    }

    /// Returns the text in Unicode's composed form (NFC), which most systems use.
    private static func composed(_ text: String) -> String {
        #if canImport(Darwin)
            // Darwin's file systems normalize names themselves.
            text
        #else
            isASCII(text) ? text : String(String.UnicodeScalarView(text._nfc))
        #endif
    }

    /// Whether the text is the same in all forms of Unicode; most names are, and there may be millions.
    private static func isASCII(_ text: String) -> Bool { text.utf8Span.span.allSatisfy { $0 < 0x80 } }

    /// Truncates the text to as many whole characters as fit.
    private static func cut(_ text: String) -> String {
        if text.utf8.count <= limit { return text }
        var short = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            // A single character with too many combining marks does not fit at all.
            guard count <= limit else { break }
            short.append(character)
        }
        return short
    }

    /// Removes dots and spaces at both ends, and leading hyphens, which would look like an option.
    private static func trimmed(_ text: String) -> String {
        let rest = text.drop { $0 == "." || $0 == " " || $0 == "-" }
        guard let end = rest.lastIndex(where: { $0 != "." && $0 != " " }) else { return "" }
        return String(rest[...end])
    }

    private static func pictureEnding(of name: String) -> String? {
        guard name.utf8Span.span.contains(UInt8(ascii: ".")) else { return nil }
        let name = name.lowercased()
        return StoredFormat.all.lazy.map { ".\($0.fileExtension)" }.first { name.hasSuffix($0) }
    }

    /// Where the first dot is, or the end.
    private static func stemEnd(of name: String) -> String.Index {
        name.utf8.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    }

    /// The bytes of the longest device name, `conout$`.
    private static let longestDevice = 7

    /// Whether Windows reserves the name for a device, regardless of the text after the first dot.
    private static func isReserved(_ name: String) -> Bool {
        let stem = name[..<stemEnd(of: name)]
        guard stem.utf8.count <= longestDevice || stem.hasSuffix(" ") else { return false }
        var device = stem.lowercased()
        while device.hasSuffix(" ") { device.removeLast() }
        if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(device) { return true }
        return device.count == 4 && (device.hasPrefix("com") || device.hasPrefix("lpt"))
            && "0123456789¹²³".contains(device.last ?? " ")
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rows of `manifest.csv`, as RFC 4180 has them but with plain line ends.
///
/// The manifest's facts under the manifest's names; the thumbnails, whose number differs, stand in one last column: the
/// paths of their files with a space between them, the smallest size first.
struct ManifestTable {
    private(set) var bytes: [UInt8] = []

    /// Forgets what was written and keeps the buffer.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Writes the names.
    mutating func header() {
        write((ManifestFacts.names + ["thumbs"]).map { .text($0) })
    }

    /// Writes one entry.
    mutating func row(_ facts: ManifestFacts) {
        write(facts.values + [.text(facts.thumbs.map(\.file.path).joined(separator: " "))])
    }

    private mutating func write(_ values: [ManifestFacts.Value]) {
        for (column, value) in values.enumerated() {
            if column > 0 { bytes.append(UInt8(ascii: ",")) }
            switch value {
            case .text(let text): cell(text ?? "")
            case .number(let number): bytes += (number.map(String.init) ?? "").utf8
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func cell(_ text: String) {
        let guarded = Self.isFormula(text) ? "'" + text : text
        let plain = Self.withoutControls(guarded)
        guard plain.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
            bytes += plain.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in plain.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a spreadsheet would take the text for a formula and run it.
    private static func isFormula(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return "=+-@\t\r".utf8.contains(first)
    }

    /// The text without what would command a terminal that shows the file.
    private static func withoutControls(_ text: String) -> String {
        // Those above U+007F begin with C2.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": plain.append(scalar)
            case "\0"..<" ", "\u{7F}"..."\u{9F}": plain.append("\u{FFFD}")
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }
}

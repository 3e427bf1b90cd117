// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rows of `manifest.csv`, as RFC 4180 has them but with plain line ends.
///
/// The manifest's facts under the manifest's names; the thumbnails, whose number differs, stand in one last column: the
/// paths of their files with a space between them, the smallest size first.
struct ManifestTable {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    /// Forgets what was written and keeps the buffer.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Writes the names.
    mutating func header() {
        var names = ManifestNames()
        names.tell(Item(seq: 0, feed: "", page: 0, photo: Photo(id: "")), Receipt(.skipped))
        for name in names.all + ["thumbs"] { fact(name, name) }
        endRow()
    }

    /// Writes one entry.
    mutating func row(_ item: Item, _ receipt: Receipt) {
        tell(item, receipt)
        fact("thumbs", receipt.thumbs.map(\.file.path).joined(separator: " "))
        endRow()
    }

    private mutating func endRow() {
        bytes.append(UInt8(ascii: "\n"))
        isFirst = true
    }

    private mutating func comma() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    private mutating func cell(_ text: String) {
        // Nearly every cell; told in one pass.
        if Self.isPlain(text) {
            bytes += text.utf8
            return
        }
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

    /// Whether a text can stand in a cell as it is.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return !isFormula(text)
            && text.withUTF8 { bytes in
                unsafe bytes.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x2C && $0 != 0x7F && $0 != 0xC2 }
            }
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

extension ManifestTable: ManifestForm {
    mutating func fact(_ name: String, _ text: String?) {
        comma()
        cell(text ?? "")
    }

    mutating func fact(_ name: String, _ number: Int?) {
        comma()
        bytes += (number.map(String.init) ?? "").utf8
    }
}

/// The names alone.
private struct ManifestNames: ManifestForm {
    private(set) var all: [String] = []

    mutating func fact(_ name: String, _ text: String?) { all.append(name) }
    mutating func fact(_ name: String, _ number: Int?) { all.append(name) }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceParquet

/// Formats the rows of `manifest.csv` according to RFC 4180, but with LF line ends.
///
/// The columns have the names of the manifest's fields. The column `thumbs` contains the paths of the thumbnails,
/// separated by spaces, smallest first.
struct ManifestCSV {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    /// Clears the buffer and keeps its capacity.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func header() {
        for column in ManifestColumns.all { field(column.name, column.name) }
        endRow()
    }

    /// Writes the row of an item.
    mutating func row(_ item: Item, _ receipt: Receipt) {
        writeFields(of: item, receipt)
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
        // Fast path for most cells, detected in one pass.
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

    /// Whether a text needs no quoting, escaping or replacement.
    private static func isPlain(_ text: String) -> Bool {
        !isFormula(text)
            && text.utf8Span.span.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x2C && $0 != 0x7F && $0 != 0xC2 }
    }

    /// Whether a spreadsheet would evaluate the text as a formula.
    private static func isFormula(_ text: String) -> Bool {
        switch text.utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }

    /// Replaces control characters, which would affect a terminal that shows the file.
    private static func withoutControls(_ text: String) -> String {
        // Control characters above U+007F start with C2.
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

extension ManifestCSV: ManifestFieldWriter {
    mutating func field(_ name: String, _ text: String?) {
        comma()
        cell(text ?? "")
    }

    mutating func field(_ name: String, _ number: Int?) {
        comma()
        bytes += (number.map(String.init) ?? "").utf8
    }

    mutating func thumbs(_ thumbs: [Thumb]) {
        field("thumbs", thumbs.map(\.file.path).joined(separator: " "))
    }
}

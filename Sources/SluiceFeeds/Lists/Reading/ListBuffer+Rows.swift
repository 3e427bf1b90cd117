// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ListBuffer {
    /// A table row: its first line number and its unquoted fields.
    struct Row {
        var line: Int
        var fields: [String]
        /// The reason why the row is invalid; it has no fields then.
        var problem: String?
        /// Whether a field is not UTF-8.
        var isGuessed = false
    }

    /// Reads the next row of a table; returns `nil` after the last.
    ///
    /// An unclosed quote invalidates only its own line, not the rest of the list.
    mutating func nextRow(separator: UInt8) throws(Failure) -> Row? {
        var isAtEnd = false
        while true {
            var scan = RowScan(at: start, separator: separator)
            var isWhole = scan.run(over: window)
            if !isWhole, isAtEnd, !scan.isQuoted {
                guard start < window.count else { return nil }
                // The end of the list also ends the row.
                scan.endField(in: window)
                isWhole = true
            }
            if isWhole { return take(scan) }
            if isAtEnd || window.count - start > Self.maxRecordLength {
                rescannedBytes += scan.lines > 0 ? window.count - start : 0
                guard rescannedBytes <= Self.maxRescannedBytes else {
                    throw Failure(.feedParse, "line \(line): too many rows with unclosed quotes")
                }
                let line = try skipLine()
                return Row(line: line.number, fields: [], problem: scan.isQuoted ? "unclosed quote" : Self.tooLong)
            }
            isAtEnd = try !fill()
        }
    }

    private mutating func take(_ scan: RowScan) -> Row {
        let number = line
        advance(to: scan.index, lines: scan.lines + 1)
        return Row(line: number, fields: scan.fields, isGuessed: scan.isGuessed)
    }
}

/// Scans the bytes of one row.
private struct RowScan {
    /// The scan's position; after the row once it is complete.
    private(set) var index: Int
    /// The number of line ends within quotes.
    private(set) var lines = 0
    /// Whether the position is within quotes.
    private(set) var isQuoted = false
    private(set) var fields: [String] = []
    /// Whether a field is not UTF-8.
    private(set) var isGuessed = false

    private let separator: UInt8
    /// The start of the current field's unquoted part.
    private var plainStart: Int
    /// The current field's text before that part, if the field has quotes.
    private var quoted: [UInt8]?

    init(at start: Int, separator: UInt8) {
        index = start
        plainStart = start
        self.separator = separator
    }

    /// Scans to the end of the row; returns false if the window ends first.
    mutating func run(over window: [UInt8]) -> Bool {
        while index < window.count {
            let byte = window[index]
            if isQuoted {
                scanQuoted(byte, in: window)
            } else if byte == separator {
                endField(in: window)
                index += 1
                plainStart = index
            } else if byte == UInt8(ascii: "\n") {
                endField(in: window)
                index += 1
                return true
            } else {
                // A quote is special only at the start of a field; elsewhere it is an ordinary character.
                if byte == UInt8(ascii: "\""), index == plainStart, quoted == nil {
                    isQuoted = true
                    quoted = []
                    plainStart = index + 1
                }
                index += 1
            }
        }
        return false
    }

    /// Scans a byte within quotes.
    ///
    /// A quote at the end of the window may be half of a doubled quote; the row is then scanned again with more text.
    private mutating func scanQuoted(_ byte: UInt8, in window: [UInt8]) {
        if byte == UInt8(ascii: "\n") { lines += 1 }
        guard byte == UInt8(ascii: "\"") else {
            index += 1
            return
        }
        let isDoubled = index + 1 < window.count && window[index + 1] == UInt8(ascii: "\"")
        quoted? += window[plainStart..<(isDoubled ? index + 1 : index)]
        isQuoted = isDoubled
        index += isDoubled ? 2 : 1
        plainStart = index
    }

    /// Ends the current field at the scan's position.
    mutating func endField(in window: [UInt8]) {
        var plain = window[plainStart..<index]
        if index == window.count || window[index] == UInt8(ascii: "\n"), plain.last == UInt8(ascii: "\r") {
            plain = plain.dropLast()
        }
        if let quoted { plain = (quoted + plain)[...] }
        let text = ListText(plain)
        quoted = nil
        fields.append(text.text)
        isGuessed = isGuessed || text.isGuessed
    }
}

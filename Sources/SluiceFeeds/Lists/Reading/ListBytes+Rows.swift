// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ListBytes {
    /// A row of a table: the line it begins in, and its fields without their quotes.
    struct Row {
        var line: Int
        var fields: [String]
        /// What is wrong with it; it has no fields then.
        var flaw: String?
    }

    /// The next row of a table; `nil` behind the last.
    ///
    /// A quote that is never closed would swallow the rest of the list: only its own line is lost.
    mutating func nextRow(separator: UInt8) throws(Failure) -> Row? {
        var isAtEnd = false
        while true {
            var scan = RowScan(at: start, separator: separator)
            var isWhole = scan.run(over: window)
            if !isWhole, isAtEnd, !scan.isQuoted {
                guard start < window.count else { return nil }
                // The text's end ends a row as a line's does.
                scan.endField(in: window)
                isWhole = true
            }
            if isWhole { return take(scan) }
            if isAtEnd || window.count - start > Self.longestRecord {
                let line = try passOverLine()
                let flaw = scan.isQuoted ? "a quote is not closed" : "longer than a row may be"
                return Row(line: line.number, fields: [], flaw: flaw)
            }
            isAtEnd = try !fill()
        }
    }

    private mutating func take(_ scan: RowScan) -> Row {
        let number = line
        advance(to: scan.index, lines: scan.lines + 1)
        guard let fields = scan.fields else { return Row(line: number, fields: [], flaw: "not UTF-8") }
        return Row(line: number, fields: fields)
    }
}

/// Goes through the bytes of one row.
private struct RowScan {
    /// Where the scan is; behind the row once it is whole.
    private(set) var index: Int
    /// How many lines ended within quotes.
    private(set) var lines = 0
    /// Whether the scan stands within quotes.
    private(set) var isQuoted = false
    /// The fields; `nil` once one was not UTF-8.
    private(set) var fields: [String]? = []

    private let separator: UInt8
    /// Where the plain part of the field under way starts.
    private var plainStart: Int
    /// What stood before that part, if the field has quotes.
    private var quoted: [UInt8]?

    init(at start: Int, separator: UInt8) {
        index = start
        plainStart = start
        self.separator = separator
    }

    /// Scans to the row's end; false where the window ends before it.
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
                // A quote opens a quotation at a field's beginning only; elsewhere it is a letter like others.
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

    /// Takes a byte within quotes; at the window's end a quote may be half of a doubled one, and more is scanned anew.
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

    /// Ends the field under way at the scan's place.
    mutating func endField(in window: [UInt8]) {
        var plain = window[plainStart..<index]
        if index == window.count || window[index] == UInt8(ascii: "\n"), plain.last == UInt8(ascii: "\r") {
            plain = plain.dropLast()
        }
        let text =
            quoted.map { String(validating: $0 + plain, as: UTF8.self) } ?? String(validating: plain, as: UTF8.self)
        quoted = nil
        if let text { fields?.append(text) } else { fields = nil }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ListBuffer {
    /// An element of a JSON array: its first line number and its text; `nil` if it is too long.
    struct Element {
        var line: Int
        var text: [UInt8]?
    }

    /// Skips white space; returns false at the end of the list.
    @discardableResult mutating func skipSpace() throws(Failure) -> Bool {
        while true {
            var (index, lines) = (start, 0)
            while index < window.count, window[index].isSpace {
                if window[index] == UInt8(ascii: "\n") { lines += 1 }
                index += 1
            }
            advance(to: index, lines: lines)
            if index < window.count { return true }
            guard try fill() else { return false }
        }
    }

    /// Reads the next element of the current array; returns `nil` at its end.
    mutating func nextElement() throws(Failure) -> Element? {
        while true {
            guard try skipSpace() else { throw Failure(.feedParse, "line \(line): the array is not closed") }
            guard window[start] == UInt8(ascii: ",") else { break }
            advance(to: start + 1, lines: 0)
        }
        if window[start] == UInt8(ascii: "]") { return nil }
        var scan = ElementScan()
        var element = Element(line: line, text: [])
        while !scan.run(over: window[start...]) {
            if scan.length > Self.maxRecordLength { element.text = nil }
            element.text? += window[start...]
            advance(to: window.count, lines: 0)
            guard try fill() else {
                // Return a complete element; the next call reports the unclosed array.
                guard scan.isOpen else { return element }
                throw Failure(.feedParse, "line \(element.line): the array is not closed")
            }
            scan.continueInNextWindow()
        }
        element.text? += window[start..<(start + scan.count)]
        advance(to: start + scan.count, lines: scan.lines)
        return element
    }
}

/// Finds the end of an element by its quotes and brackets; the parser validates the JSON.
private struct ElementScan {
    /// The number of bytes in the current window that belong to the element.
    private(set) var count = 0
    /// The element's length so far, over all windows.
    private(set) var length = 0
    /// The number of line ends in the element.
    private(set) var lines = 0

    private var depth = 0
    private var isQuoted = false
    private var isEscaped = false

    /// Whether the element has an unclosed bracket or quote.
    var isOpen: Bool { depth > 0 || isQuoted }

    /// Prepares for another window of the same element.
    mutating func continueInNextWindow() { count = 0 }

    /// Scans to the end of the element; returns false if the window ends first.
    mutating func run(over window: ArraySlice<UInt8>) -> Bool {
        for byte in window {
            if depth == 0, !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") { return true }
            count += 1
            length += 1
            if byte == UInt8(ascii: "\n") { lines += 1 }
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isQuoted = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return false
    }
}

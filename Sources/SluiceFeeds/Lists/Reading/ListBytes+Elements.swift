// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ListBytes {
    /// An element of an array: the line it begins in, and its text; none for one that is too long to be kept.
    struct Element {
        var line: Int
        var text: [UInt8]?
    }

    /// Moves on to what is no white space; false at the text's end.
    @discardableResult mutating func skipSpace() throws(Failure) -> Bool {
        while true {
            var (index, lines) = (start, 0)
            while index < window.count, ListFormats.isSpace(window[index]) {
                if window[index] == UInt8(ascii: "\n") { lines += 1 }
                index += 1
            }
            advance(to: index, lines: lines)
            if index < window.count { return true }
            guard try fill() else { return false }
        }
    }

    /// The next element of the array that the text stands in; `nil` behind its end.
    mutating func nextElement() throws(Failure) -> Element? {
        guard try skipSpace() else { throw Failure(.feedParse, "line \(line): the array has no end") }
        if window[start] == UInt8(ascii: "]") { return nil }
        if window[start] == UInt8(ascii: ",") {
            advance(to: start + 1, lines: 0)
            return try nextElement()
        }
        var scan = ElementScan()
        var element = Element(line: line, text: [])
        while !scan.run(over: window[start...]) {
            if scan.length > Self.longestRecord { element.text = nil }
            element.text? += window[start...]
            advance(to: window.count, lines: 0)
            guard try fill() else {
                // A whole element is worth having; the next call finds that the array has no end.
                guard scan.isOpen else { return element }
                throw Failure(.feedParse, "line \(element.line): the array has no end")
            }
            scan.begin()
        }
        element.text? += window[start..<(start + scan.taken)]
        advance(to: start + scan.taken, lines: scan.lines)
        return element
    }
}

/// Finds the end of an element by its quotes and brackets alone; whether it is JSON is for the parser to say.
private struct ElementScan {
    /// How much of the window belongs to the element.
    private(set) var taken = 0
    /// How long the element is so far.
    private(set) var length = 0
    /// How many lines ended in it.
    private(set) var lines = 0

    private var depth = 0
    private var isQuoted = false
    private var isEscaped = false

    /// Whether a bracket or a quote of the element is still to be closed.
    var isOpen: Bool { depth > 0 || isQuoted }

    /// Begins with another window, in the same element.
    mutating func begin() { taken = 0 }

    /// Scans to the element's end; false where the window ends before it.
    mutating func run(over window: ArraySlice<UInt8>) -> Bool {
        for byte in window {
            if depth == 0, !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") { return true }
            taken += 1
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

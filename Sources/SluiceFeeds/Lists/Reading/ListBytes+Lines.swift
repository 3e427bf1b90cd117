// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ListBytes {
    /// A line of the list: its number and where it is in the window, without its end.
    struct Line {
        var number: Int
        var range: Range<Int>
        /// Whether it was longer than a record may be, and was passed over.
        var isTooLong = false
    }

    /// The next line; `nil` behind the last.
    mutating func nextLine() throws(Failure) -> Line? {
        var seen = 0
        while true {
            if let end = newline(from: start + seen) { return takeLine(to: end) }
            seen = window.count - start
            if seen > Self.longestRecord { return try passOverLine() }
            guard try fill() else { return seen > 0 ? takeLine(to: window.count) : nil }
        }
    }

    /// Moves on behind the line that starts here, however long it is.
    mutating func passOverLine() throws(Failure) -> Line {
        let number = line
        while true {
            if let end = newline(from: start) {
                advance(to: end + 1, lines: 1)
                break
            }
            advance(to: window.count, lines: 0)
            guard try fill() else { break }
        }
        return Line(number: number, range: start..<start, isTooLong: true)
    }

    private mutating func takeLine(to end: Int) -> Line {
        let isEndedByReturn = end > start && window[end - 1] == UInt8(ascii: "\r")
        let found = Line(number: line, range: start..<(isEndedByReturn ? end - 1 : end))
        advance(to: min(end + 1, window.count), lines: 1)
        return found
    }

    private func newline(from index: Int) -> Int? { window[index...].firstIndex(of: UInt8(ascii: "\n")) }
}

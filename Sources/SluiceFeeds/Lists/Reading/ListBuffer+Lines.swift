// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ListBuffer {
    /// A line of the list: its number and its range in the window, without the line end.
    struct Line {
        var number: Int
        var range: Range<Int>
        /// Whether it exceeded the maximum length and was skipped.
        var isTooLong = false
    }

    /// Reads the next line; returns `nil` after the last.
    mutating func nextLine() throws(Failure) -> Line? {
        var seen = 0
        while true {
            if let end = newline(from: start + seen) { return takeLine(to: end) }
            seen = window.count - start
            if seen > Self.maxRecordLength { return try skipLine() }
            guard try fill() else { return seen > 0 ? takeLine(to: window.count) : nil }
        }
    }

    /// Skips the current line, whatever its length.
    mutating func skipLine() throws(Failure) -> Line {
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

// SPDX-License-Identifier: MIT

extension String {
    /// The text without leading and trailing white space.
    package var trimmed: String { self[...].trimmed }
}

extension Substring {
    /// The text without leading and trailing white space.
    package var trimmed: String {
        // Most texts begin and end with a printable ASCII character, which no other character can make white space.
        if let first = utf8.first, let last = utf8.last, (0x21..<0x80).contains(first), (0x21..<0x80).contains(last) {
            return String(self)
        }
        let front = drop(while: \.isWhitespace)
        return String(front[..<(front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex)])
    }
}

// SPDX-License-Identifier: MIT

extension String {
    /// The text without leading and trailing white space.
    var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        let front = drop(while: \.isWhitespace)
        return String(front[..<(front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex)])
    }

    /// Truncates the text to at most `maxBytes` bytes, between code points, and marks the cut with an ellipsis.
    func truncated(to maxBytes: Int) -> String {
        guard utf8.count > maxBytes else { return self }
        var end = utf8.index(startIndex, offsetBy: maxBytes)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}

// SPDX-License-Identifier: MIT

extension String {
    /// Truncates the text to at most `maxBytes` bytes, between code points, and marks the cut with an ellipsis.
    func truncated(to maxBytes: Int) -> String {
        guard utf8.count > maxBytes else { return self }
        var end = utf8.index(startIndex, offsetBy: maxBytes)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}

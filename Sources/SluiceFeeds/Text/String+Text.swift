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

    /// Percent-encodes the text for a query parameter or a path component.
    var percentEncoded: String {
        var result = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

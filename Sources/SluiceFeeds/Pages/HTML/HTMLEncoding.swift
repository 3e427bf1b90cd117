// SPDX-License-Identifier: MIT

/// The bytes of an HTML document, and how to decode them.
struct HTMLEncoding {
    /// The document, without a byte order mark.
    let bytes: [UInt8]
    /// Whether the bytes are UTF-8, whatever the document says.
    let isUTF8: Bool
    /// The encoding to decode, if the server states one; the document may state it otherwise.
    let charset: String?

    /// Recognises UTF-8 and UTF-16 by their bytes; other encodings must be stated.
    init(_ bytes: [UInt8], charset: String?) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            var text = UTF16Text()
            self.bytes = text.decode(bytes, isLast: true)
            (isUTF8, self.charset) = (true, nil)
        } else if String(validating: bytes, as: UTF8.self) != nil {
            self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            (isUTF8, self.charset) = (true, nil)
        } else {
            self.bytes = bytes
            isUTF8 = false
            // A page that is almost UTF-8 stays that, with replacement characters.
            self.charset = charset?.lowercased()
        }
    }
}

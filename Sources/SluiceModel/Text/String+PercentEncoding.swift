// SPDX-License-Identifier: MIT

extension String {
    /// Percent-encodes the text for a query parameter or a path component, except for the `kept` characters.
    package func percentEncoded(keeping kept: String = "") -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            let isAlphanumeric = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            return isAlphanumeric || "-._~".utf8.contains(byte) || kept.utf8.contains(byte)
        }
        guard !utf8.allSatisfy(isPlain) else { return self }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in utf8 {
            if isPlain(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

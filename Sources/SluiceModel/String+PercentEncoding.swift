// SPDX-License-Identifier: MIT

extension String {
    /// Percent-encodes the text for a query parameter or a path component, except for the `kept` characters.
    package func percentEncoded(keeping kept: String = "") -> String {
        let plain = Set("-._~\(kept)".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in utf8 {
            let isAlphanumeric = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            if isAlphanumeric || plain.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

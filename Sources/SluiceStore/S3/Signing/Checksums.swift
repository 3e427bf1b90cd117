// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An incremental CRC-64/NVME, the checksum of whole objects that are uploaded in parts.
struct CRC64: Sendable {
    private var state: UInt64 = .max

    /// The CRC of each byte followed by 0 to 7 zero bytes, so that eight bytes are processed at once.
    private static let tables: [[UInt64]] = {
        let first = (0..<256).map { byte in
            (0..<8).reduce(UInt64(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0x9A6C_9329_AC4B_C9B5 : 0) }
        }
        var tables = [first]
        for _ in 1..<8 { tables.append((tables.last ?? []).map { first[Int($0 & 0xFF)] ^ $0 >> 8 }) }
        return tables
    }()

    mutating func update(_ bytes: [UInt8]) {
        let tables = Self.tables
        var offset = 0
        while offset + 8 <= bytes.count {
            var next: UInt64 = 0
            for index in 0..<8 {
                let byte = bytes[offset + index] ^ UInt8(truncatingIfNeeded: state >> UInt64(8 * index))
                next ^= tables[7 - index][Int(byte)]
            }
            state = next
            offset += 8
        }
        for byte in bytes[offset...] { state = tables[0][Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
    }

    /// The checksum of all bytes so far, as the header `x-amz-checksum-crc64nvme` has it.
    var base64: String {
        let value = ~state
        return Base64.encoded((0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) })
    }
}

/// Base64 with padding, as checksum headers use it.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes padded Base64; `nil` if the text is malformed.
    static func decoded(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard text.count.isMultiple(of: 4), padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        var bits = 0
        for (index, digit) in text.dropLast(padding).enumerated() {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            if index % 4 != 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (index % 4)))) }
        }
        return bytes
    }

    /// Encodes the bytes that hexadecimal digits stand for.
    static func encoded(hexadecimal text: String) -> String {
        let digits = text.utf8.compactMap(\.hexadecimalValue)
        return encoded(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}

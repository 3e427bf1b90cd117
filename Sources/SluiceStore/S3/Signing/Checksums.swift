// SPDX-License-Identifier: MIT

internal import SluiceTransfer

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

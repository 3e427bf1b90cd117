// SPDX-License-Identifier: MIT

extension [UInt8] {
    /// The bytes in hexadecimal digits, two for each.
    package var hexadecimal: String {
        unsafe String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                unsafe text[2 * index] = Self.digit(byte >> 4)
                unsafe text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

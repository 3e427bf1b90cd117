// SPDX-License-Identifier: MIT
internal import SluiceSystem

extension Span<UInt8> {
    /// Whether both have the same bytes.
    func isEqual(to other: borrowing Span<UInt8>) -> Bool { count == other.count && compare(to: other) == 0 }

    /// Whether these bytes come before the others in the order of unsigned bytes, which is Parquet's order of texts.
    func precedes(_ other: borrowing Span<UInt8>) -> Bool {
        let order = compare(to: other)
        return order != 0 ? order < 0 : count < other.count
    }

    /// Compares as many bytes as the shorter one has.
    private func compare(to other: borrowing Span<UInt8>) -> Int32 {
        unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { other in
                guard let first = own.baseAddress, let second = other.baseAddress else { return 0 }
                return unsafe memcmp(first, second, min(own.count, other.count))
            }
        }
    }
}

extension [UInt8] {
    /// Copies the bytes of a span.
    init(copying span: borrowing Span<UInt8>) { self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) } }

    /// Appends the bytes of a span.
    mutating func append(_ span: borrowing Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

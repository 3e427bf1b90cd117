// SPDX-License-Identifier: MIT

internal import SluiceSystem

/// Numbers the distinct values of a column in the order of their first occurrence.
struct ValueDictionary {
    /// The values in the plain encoding: the content of the dictionary page.
    private(set) var bytes: [UInt8] = []
    /// The end of each value in ``bytes``.
    private var ends: [Int] = []
    /// A hash table with open addressing: indices of values, or -1.
    private var slots: [Int32]
    /// The number of bytes before each value that hold its length.
    private let prefix: Int
    /// The value that occurred last, because values often repeat.
    private var last: Int?

    /// Starts empty; values of variable length are stored after their length.
    init(hasLengths: Bool) {
        prefix = hasLengths ? 4 : 0
        slots = [Int32](repeating: -1, count: 1024)
    }

    var count: Int { ends.count }

    /// Returns the index of a value, and whether it is new.
    mutating func index(of value: borrowing Span<UInt8>) -> (index: Int, isNew: Bool) {
        if let last, equals(value, at: last) { return (last, false) }
        var slot = hash(of: value) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if equals(value, at: index) {
                last = index
                return (index, false)
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let index = ends.count
        slots[slot] = Int32(index)
        append(value)
        if ends.count * 2 > slots.count { grow() }
        last = index
        return (index, true)
    }

    /// The plain encoding of a value.
    func encoding(of index: Int) -> ArraySlice<UInt8> { bytes[start(of: index)..<ends[index]] }

    private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

    private mutating func append(_ value: borrowing Span<UInt8>) {
        if prefix > 0 { bytes.appendLittleEndian(UInt64(value.count), count: prefix) }
        bytes.append(value)
        ends.append(bytes.count)
    }

    private func equals(_ value: borrowing Span<UInt8>, at index: Int) -> Bool {
        let start = start(of: index) + prefix
        guard ends[index] - start == value.count else { return false }
        return bytes.span.extracting(start..<ends[index]).isEqual(to: value)
    }

    /// Hashes with the process's seed, so that hostile values cannot be made to collide.
    private func hash(of value: borrowing Span<UInt8>) -> Int {
        var hasher = Hasher()
        unsafe value.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for index in ends.indices {
            let range = start(of: index) + prefix..<ends[index]
            var slot = hash(of: bytes.span.extracting(range)) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }
}

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

// SPDX-License-Identifier: MIT

/// Plain values as bytes, for another process of the same program.
///
/// One list of a value's parts serves both ways: `carry` writes a part, or reads it back into its place.
struct Wire {
    /// What is on the wire is not what was to be carried.
    struct Malformed: Error {}

    private(set) var bytes: [UInt8]
    private let isReading: Bool
    private var next = 0

    /// Makes an empty one to write on.
    init() {
        bytes = []
        isReading = false
    }

    /// Makes one to read from.
    init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// Whether nothing is left to read.
    var isAtEnd: Bool { next == bytes.count }

    mutating func carry<Number: FixedWidthInteger>(_ number: inout Number) throws(Malformed) {
        let count = Number.bitWidth / 8
        if isReading {
            number = try take(count).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        } else {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> Number(8 * place))) }
        }
    }

    mutating func carry(_ number: inout Double) throws(Malformed) {
        var pattern = number.bitPattern
        try carry(&pattern)
        number = Double(bitPattern: pattern)
    }

    mutating func carry(_ duration: inout Duration) throws(Malformed) {
        var nanoseconds = Int64(clamping: duration.attoseconds / 1_000_000_000)
        try carry(&nanoseconds)
        duration = .nanoseconds(nanoseconds)
    }

    mutating func carry(_ flag: inout Bool) throws(Malformed) {
        var byte: UInt8 = flag ? 1 : 0
        try carry(&byte)
        flag = byte != 0
    }

    mutating func carry(_ content: inout [UInt8]) throws(Malformed) {
        var count = content.count
        try carry(&count)
        if isReading { content = Array(try take(count)) } else { bytes += content }
    }

    mutating func carry(_ text: inout String) throws(Malformed) {
        var content = Array(text.utf8)
        try carry(&content)
        if isReading { text = String(decoding: content, as: UTF8.self) }
    }

    /// Carries one of a few words.
    mutating func carry<Word: RawRepresentable<String>>(_ word: inout Word) throws(Malformed) {
        var name = word.rawValue
        try carry(&name)
        guard let read = Word(rawValue: name) else { throw Malformed() }
        word = read
    }

    /// Carries what may not be there; `blank` is what is read into, if it is.
    mutating func carry<Value>(
        _ value: inout Value?, blank: Value, _ carry: (inout Wire, inout Value) throws(Malformed) -> Void
    ) throws(Malformed) {
        var list = value.map { [$0] } ?? []
        try self.carry(&list, blank: blank, carry)
        guard list.count <= 1 else { throw Malformed() }
        value = list.first
    }

    /// Carries a list; `blank` is what each of its parts is read into.
    mutating func carry<Value>(
        _ list: inout [Value], blank: Value, _ carry: (inout Wire, inout Value) throws(Malformed) -> Void
    ) throws(Malformed) {
        var count = list.count
        try self.carry(&count)
        // No part takes less than a byte.
        guard (0...bytes.count).contains(count) else { throw Malformed() }
        if isReading { list = Array(repeating: blank, count: count) }
        for index in 0..<count { try carry(&self, &list[index]) }
    }

    private mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard (0...bytes.count - next).contains(count) else { throw Malformed() }
        defer { next += count }
        return bytes[next..<next + count]
    }
}

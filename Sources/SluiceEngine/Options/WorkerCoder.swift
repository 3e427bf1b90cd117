// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// Encodes plain values as bytes for another process of the same program, and decodes them.
///
/// `code` works in both directions: it appends a value, or reads the next value into its argument. One list of fields
/// therefore serves for both.
struct WorkerCoder {
    /// The bytes are not an encoding of the expected values.
    struct Malformed: Error {}

    private(set) var bytes: [UInt8]
    private let isReading: Bool
    private var position = 0

    init() {
        bytes = []
        isReading = false
    }

    init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position == bytes.count }

    mutating func code<Number: FixedWidthInteger>(_ number: inout Number) throws(Malformed) {
        let count = Number.bitWidth / 8
        if isReading {
            number = try read(count).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        } else {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> Number(8 * index))) }
        }
    }

    mutating func code(_ number: inout Double) throws(Malformed) {
        var pattern = number.bitPattern
        try code(&pattern)
        number = Double(bitPattern: pattern)
    }

    mutating func code(_ duration: inout Duration) throws(Malformed) {
        var nanoseconds = Int64(clamping: duration.attoseconds / 1_000_000_000)
        try code(&nanoseconds)
        duration = .nanoseconds(nanoseconds)
    }

    mutating func code(_ flag: inout Bool) throws(Malformed) {
        var byte: UInt8 = flag ? 1 : 0
        try code(&byte)
        flag = byte != 0
    }

    mutating func code(_ content: inout [UInt8]) throws(Malformed) {
        var count = content.count
        try code(&count)
        if isReading { content = Array(try read(count)) } else { bytes += content }
    }

    mutating func code(_ text: inout String) throws(Malformed) {
        var content = Array(text.utf8)
        try code(&content)
        if isReading { text = String(decoding: content, as: UTF8.self) }
    }

    /// Encodes or decodes an enum by its raw value.
    mutating func code<Value: RawRepresentable<String>>(_ value: inout Value) throws(Malformed) {
        var name = value.rawValue
        try code(&name)
        guard let decoded = Value(rawValue: name) else { throw Malformed() }
        value = decoded
    }

    /// Encodes or decodes an optional value.
    ///
    /// `placeholder` is the initial value to decode into.
    mutating func code<Value>(
        _ value: inout Value?, placeholder: Value,
        _ codeElement: (inout WorkerCoder, inout Value) throws(Malformed) -> Void
    ) throws(Malformed) {
        var list = value.map { [$0] } ?? []
        try code(&list, placeholder: placeholder, codeElement)
        guard list.count <= 1 else { throw Malformed() }
        value = list.first
    }

    /// Encodes or decodes a list.
    ///
    /// `placeholder` is the initial value to decode each element into.
    mutating func code<Value>(
        _ list: inout [Value], placeholder: Value,
        _ codeElement: (inout WorkerCoder, inout Value) throws(Malformed) -> Void
    ) throws(Malformed) {
        var count = list.count
        try code(&count)
        // Every element takes at least one byte.
        guard !isReading || (0...bytes.count).contains(count) else { throw Malformed() }
        // A list grows with the bytes that have been read, because the count may be wrong.
        if isReading { list = [] }
        for index in 0..<count {
            if isReading { list.append(placeholder) }
            try codeElement(&self, &list[index])
        }
    }

    private mutating func read(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard (0...bytes.count - position).contains(count) else { throw Malformed() }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

/// A value that a decode worker receives.
protocol WorkerCodable {
    /// Encodes or decodes the value.
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed)
}

/// An element of a list that a decode worker receives.
protocol WorkerElement: WorkerCodable {
    /// The initial value to decode into.
    static var placeholder: Self { get }
}

extension WorkerCodable where Self: RawRepresentable<String> {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Bool: WorkerCodable {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Double: WorkerCodable {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Int: WorkerElement {
    static var placeholder: Int { 0 }
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) { try coder.code(&self) }
}

extension Optional: WorkerCodable where Wrapped: WorkerElement {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try coder.code(&self, placeholder: Wrapped.placeholder) { (coder, value) throws(WorkerCoder.Malformed) in
            try value.code(with: &coder)
        }
    }
}

extension Array: WorkerCodable where Element: WorkerElement {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try coder.code(&self, placeholder: Element.placeholder) { (coder, value) throws(WorkerCoder.Malformed) in
            try value.code(with: &coder)
        }
    }
}

extension Set: WorkerCodable where Element: WorkerElement & OptionValue {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        var list = sorted { $0.optionText < $1.optionText }
        try list.code(with: &coder)
        self = Set<Element>(list)
    }
}

extension ThumbnailSize: WorkerElement {
    static var placeholder: ThumbnailSize { ThumbnailSize(width: 1, height: 1) }

    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try width.code(with: &coder)
        try height.code(with: &coder)
    }
}

extension BackgroundColor: WorkerCodable {
    mutating func code(with coder: inout WorkerCoder) throws(WorkerCoder.Malformed) {
        try coder.code(&red)
        try coder.code(&green)
        try coder.code(&blue)
        try coder.code(&alpha)
    }
}

extension WorkerCoder {
    /// Encodes or decodes every thumbnail option.
    mutating func code(
        _ options: inout ThumbnailOptions, in fields: [OptionField<ThumbnailOptions>] = ThumbnailOptions.fields
    ) throws(Malformed) {
        for field in fields { try field.code?(&self, &options) }
    }
}

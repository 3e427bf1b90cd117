// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Bounds the tags of an HTML document in one pass, before libxml2 parses it.
///
/// libxml2 compares each attribute of a tag with all others, and holds an unfinished tag in memory. Pages contain
/// pictures as `data:` addresses of any length, so long values are shortened rather than refused.
struct HTMLTagFilter {
    /// The maximum number of attributes of a tag; the rest are removed.
    static let maxAttributes = 256
    /// The maximum length of a value in bytes; a longer one is removed, except for its first bytes if it is
    /// a `data:` address.
    static let maxValueLength = 32 << 10
    /// The maximum length of a name in bytes; the rest is removed.
    static let maxNameLength = 64

    /// The number of bytes that were looked at, which a test compares with the size of the document.
    private var steps = 0
    private let input: [UInt8]
    private var index = 0
    private var output: [UInt8] = []

    /// Returns the document with bounded tags.
    static func bounded(_ bytes: [UInt8]) -> [UInt8] {
        var filter = HTMLTagFilter(bytes)
        filter.run()
        return filter.output
    }

    /// Returns the number of steps for a document.
    static func steps(of bytes: [UInt8]) -> Int {
        var filter = HTMLTagFilter(bytes)
        filter.run()
        return filter.steps
    }

    private init(_ bytes: [UInt8]) {
        input = bytes
        output.reserveCapacity(bytes.count)
    }

    private mutating func run() {
        while index < input.count {
            guard input[index] == UInt8(ascii: "<") else {
                copy(before: UInt8(ascii: "<"))
                continue
            }
            if starts(with: "<!--") {
                copy(through: "-->")
            } else if starts(with: "</body") || starts(with: "</html") {
                // libxml2 ends the document there; browsers read on.
                let end = input[index...].firstIndex(of: UInt8(ascii: ">")) ?? input.endIndex - 1
                (index, steps) = (end + 1, steps + end + 1 - index)
            } else if index + 1 < input.count, input[index + 1].isLetter {
                copyTag()
            } else {
                copy()
            }
        }
    }

    private mutating func copyTag() {
        copy()
        let name = copyName()
        var count = 0
        while index < input.count, input[index] != UInt8(ascii: ">") {
            if input[index].isSpace || input[index] == UInt8(ascii: "/") {
                copy()
                continue
            }
            count += 1
            let start = output.count
            copyAttribute()
            if count > Self.maxAttributes { output.removeSubrange(start...) }
        }
        // The contents of these elements are no tags.
        for raw in ["script", "style"] where name.elementsEqual(raw.utf8) { copy(through: "</\(raw)") }
    }

    /// Copies a name and returns it in lower case.
    private mutating func copyName() -> [UInt8] {
        var name: [UInt8] = []
        while index < input.count, !input[index].isSpace, !Self.endsName(input[index]) {
            if name.count < Self.maxNameLength {
                name.append(input[index].isLetter ? input[index] | 0x20 : input[index])
                output.append(input[index])
            }
            index += 1
        }
        return name
    }

    private mutating func copyAttribute() {
        let start = index
        _ = copyName()
        // A stray `=` without a name.
        if index == start { copy() }
        while index < input.count, input[index].isSpace { copy() }
        guard index < input.count, input[index] == UInt8(ascii: "=") else { return }
        copy()
        while index < input.count, input[index].isSpace { copy() }
        guard index < input.count else { return }
        let quote = input[index]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { copy() }
        let (valueStart, outputStart) = (index, output.count)
        while index < input.count,
            isQuoted ? input[index] != quote : !input[index].isSpace && input[index] != UInt8(ascii: ">")
        {
            index += 1
        }
        let value = input[valueStart..<index]
        steps += value.count
        output += value.count <= Self.maxValueLength ? value : Self.shortened(value)
        // Otherwise the next attribute would become the value.
        if output.count == outputStart, !isQuoted { output += "\"\"".utf8 }
        if isQuoted, index < input.count { copy() }
    }

    /// Returns the part of a long value that says what it is.
    private static func shortened(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = value.drop(while: \.isSpace).prefix(32)
        return start.starts(with: "data:".utf8) ? start : []
    }

    private mutating func copy() {
        output.append(input[index])
        (index, steps) = (index + 1, steps + 1)
    }

    private mutating func copy(before end: UInt8) {
        let stop = input[index...].firstIndex(of: end) ?? input.endIndex
        output += input[index..<stop]
        (index, steps) = (stop, steps + stop - index)
    }

    /// Copies up to the end of the text, which is compared without case, or of the document.
    private mutating func copy(through text: String) {
        let text = Array(text.utf8)
        var stop = index
        while stop < input.count, !matches(text, at: stop) { stop += 1 }
        stop = min(input.count, stop + text.count)
        output += input[index..<stop]
        (index, steps) = (stop, steps + (stop - index) * text.count)
    }

    private func starts(with text: String) -> Bool { matches(Array(text.utf8), at: index) }

    private func matches(_ text: [UInt8], at start: Int) -> Bool {
        guard start + text.count <= input.count else { return false }
        for (offset, byte) in text.enumerated() {
            let other = input[start + offset]
            guard other == byte || byte.isLetter && other | 0x20 == byte else { return false }
        }
        return true
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
}

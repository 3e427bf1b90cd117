// SPDX-License-Identifier: MIT

/// A page with placeholders of the form `{{name}}`, which are replaced with HTML.
///
/// Inserted HTML is not searched for placeholders.
struct HTMLTemplate {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func filled(_ values: [String: HTML]) -> [UInt8] {
        var filled: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.range(of: "{{"), let end = rest[start.upperBound...].range(of: "}}") {
            filled += rest[..<start.lowerBound]
            let name = String(decoding: rest[start.upperBound..<end.lowerBound], as: UTF8.self)
            guard let value = values[name] else { preconditionFailure("no value for the placeholder \(name)") }
            filled += value.bytes
            rest = rest[end.upperBound...]
        }
        return filled + rest
    }
}

extension ArraySlice<UInt8> {
    /// The range of the first occurrence of a two-byte delimiter.
    fileprivate func range(of delimiter: StaticString) -> Range<Int>? {
        var start = startIndex
        while start + 1 < endIndex {
            if self[start...].starts(with: delimiter.description.utf8) { return start..<start + 2 }
            start += 1
        }
        return nil
    }
}

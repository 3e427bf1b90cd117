// SPDX-License-Identifier: MIT

/// A page whose gaps, `{{name}}`, are filled with HTML.
///
/// What fills a gap is never searched for further gaps.
struct Template {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func filled(_ gaps: [String: HTML]) -> [UInt8] {
        var filled: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.range(of: "{{"), let end = rest[start.upperBound...].range(of: "}}") {
            filled += rest[..<start.lowerBound]
            let name = String(decoding: rest[start.upperBound..<end.lowerBound], as: UTF8.self)
            guard let gap = gaps[name] else { preconditionFailure("nothing fills the gap \(name)") }
            filled += gap.bytes
            rest = rest[end.upperBound...]
        }
        return filled + rest
    }
}

extension ArraySlice<UInt8> {
    /// The first place of a mark of two bytes.
    fileprivate func range(of mark: StaticString) -> Range<Int>? {
        var at = startIndex
        while at + 1 < endIndex {
            if self[at...].starts(with: mark.description.utf8) { return at..<at + 2 }
            at += 1
        }
        return nil
    }
}

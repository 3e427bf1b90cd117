// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A text with placeholders for fields, such as `https://photos.example/{owner.id}/{id}`.
///
/// `{id:url}` is percent-encoded. A template without a value for one of its fields has no value itself.
struct FieldTemplate: Sendable, Hashable {
    private enum Segment: Sendable, Hashable {
        case text(String)
        case field(FieldPath, isEncoded: Bool)
    }

    private var segments: [Segment] = []

    /// Parses a template; `nil` if it has an unclosed brace or an invalid path.
    init?(_ text: String) {
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            if start > rest.startIndex { segments.append(.text(String(rest[..<start]))) }
            guard let end = rest[start...].firstIndex(of: "}") else { return nil }
            var name = rest[rest.index(after: start)..<end]
            let isEncoded = name.hasSuffix(":url")
            if isEncoded { name = name.dropLast(4) }
            guard !name.isEmpty, let path = FieldPath(String(name)) else { return nil }
            segments.append(.field(path, isEncoded: isEncoded))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { segments.append(.text(String(rest))) }
    }

    /// Returns the text with all fields filled in; `nil` if any field is missing.
    func text(in record: JSON, of reply: JSON = .null) -> String? {
        var result = ""
        for segment in segments {
            switch segment {
            case .text(let text): result += text
            case .field(let path, let isEncoded):
                guard let text = path.text(in: record, of: reply) else { return nil }
                result += isEncoded ? text.percentEncoded() : text
            }
        }
        return result
    }
}

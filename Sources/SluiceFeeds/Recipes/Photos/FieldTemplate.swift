// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A text with placeholders for fields, such as `https://photos.example/{owner.id}/{id}`.
///
/// `{id:url}` is percent-encoded, and `{name:path}` is, too, except for its slashes. A template without a value for one
/// of its fields has no value itself.
struct FieldTemplate: Sendable, Hashable {
    private enum Encoding: String, Sendable, Hashable, CaseIterable {
        case url = ":url"
        case path = ":path"
        case none = ""

        func encoded(_ text: String) -> String {
            switch self {
            case .url: text.percentEncoded()
            case .path:
                text.split(separator: "/", omittingEmptySubsequences: false).map { String($0).percentEncoded() }
                    .joined(separator: "/")
            case .none: text
            }
        }
    }

    private enum Segment: Sendable, Hashable {
        case text(String)
        case field(FieldPath, Encoding)
    }

    private var segments: [Segment] = []

    /// Parses a template; `nil` if it has an unclosed brace or an invalid path.
    init?(_ text: String) {
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            if start > rest.startIndex { segments.append(.text(String(rest[..<start]))) }
            guard let end = rest[start...].firstIndex(of: "}") else { return nil }
            let inside = rest[rest.index(after: start)..<end]
            let encoding = Encoding.allCases.first { inside.hasSuffix($0.rawValue) } ?? .none
            let name = inside.dropLast(encoding.rawValue.count)
            guard !name.isEmpty, let path = FieldPath(String(name)) else { return nil }
            segments.append(.field(path, encoding))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { segments.append(.text(String(rest))) }
    }

    /// Returns the text with all fields filled in; `nil` if any field is missing.
    func text(in context: FieldContext) -> String? {
        var result = ""
        for segment in segments {
            switch segment {
            case .text(let text): result += text
            case .field(let path, let encoding):
                guard let text = path.text(in: context) else { return nil }
                result += encoding.encoded(text)
            }
        }
        return result
    }
}

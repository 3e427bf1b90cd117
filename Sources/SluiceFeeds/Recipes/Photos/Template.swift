// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A text with places in it that are filled in: `https://photos.example/{owner.id}/{id}`.
///
/// `{id:url}` is encoded for an address. If one place stays empty, so does the whole.
struct Template: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case text(String)
        case place(FieldPath, isEncoded: Bool)
    }

    private var parts: [Part] = []

    /// Reads a template; `nil` for one with a brace that is not closed or a path that is none.
    init?(_ text: String) {
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            if start > rest.startIndex { parts.append(.text(String(rest[..<start]))) }
            guard let end = rest[start...].firstIndex(of: "}") else { return nil }
            var name = rest[rest.index(after: start)..<end]
            let isEncoded = name.hasSuffix(":url")
            if isEncoded { name = name.dropLast(4) }
            guard !name.isEmpty, let path = FieldPath(String(name)) else { return nil }
            parts.append(.place(path, isEncoded: isEncoded))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
    }

    /// The text with all its places filled; `nil` if a fact is absent.
    func text(in record: JSON, of reply: JSON = .null) -> String? {
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .place(let path, let isEncoded):
                guard let text = path.text(in: record, of: reply) else { return nil }
                result += isEncoded ? encoded(text) : text
            }
        }
        return result
    }
}

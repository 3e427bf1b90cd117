// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Pictures of a document whose addresses follow one in it: `{"base": "https://a.test", "images": ["/lake.jpg"]}`.
enum RelativeAddresses {
    private static let bases: Set<String> = [
        "base", "baseurl", "base_url", "base-url", "baseuri", "base_uri", "prefix",
    ]

    /// Whether a member has the beginning of other addresses, by its name.
    static func isBase(_ name: String) -> Bool { bases.contains(name.lowercased()) }

    /// Returns the document with whole addresses, without their beginning; unchanged if it states none.
    static func resolved(_ json: JSON) -> JSON {
        guard case .object(let members) = json else { return json }
        let base = members.lazy.filter { isBase($0.name) }.compactMap(\.value.text).first {
            ListAddress.begins($0.utf8)
        }
        guard let base else { return json }
        return resolved(.object(members.filter { !isBase($0.name) }), base.hasSuffix("/") ? base : "\(base)/")
    }

    private static func resolved(_ json: JSON, _ base: String) -> JSON {
        switch json {
        case .string(let text):
            guard !ListAddress.begins(text.utf8), PictureName.isPicture(text), !text.contains(where: \.isWhitespace)
            else { return json }
            return .string(base + text.drop { $0 == "/" })
        case .array(let elements): return .array(elements.map { resolved($0, base) })
        case .object(let members):
            return .object(members.map { JSON.Member(name: $0.name, value: resolved($0.value, base)) })
        default: return json
        }
    }
}

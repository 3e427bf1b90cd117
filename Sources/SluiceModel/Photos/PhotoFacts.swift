// SPDX-License-Identifier: MIT

/// The facts of a photo, see the properties of ``Photo``.
struct PhotoFacts: Sendable, Hashable, Codable {
    var width: Int?
    var height: Int?
    var caption: String?
    var author: String?
    var authorURL: String?
    var pageURL: String?
    var license: String?
    var licenseURL: String?
    var attribution: String?
    var collection: String?
    var color: String?
    var placeholder: String?
    var ping: String?
    var date: Int?
    var dateSource: String?
    var place: String?
    var camera: String?
    var tags: String?
    var usage: String?
    var columns: String?
    var source: String?
    var iconSide: Int?
    var rating: Int?
    var userCaption: String?
    var userTags: String?
    var invalidReason: Failure?
}

extension Photo: Hashable {
    /// Whether both have the same id, renditions and facts.
    public static func == (left: Photo, right: Photo) -> Bool {
        left.id == right.id && left.variants == right.variants && left.allFacts == right.allFacts
    }

    /// Adds the id, the renditions and the facts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(variants)
        hasher.combine(allFacts)
    }
}

extension Photo: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, variants
    }

    /// Reads the members that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        variants = try members.decode([Variant].self, forKey: .variants)
        facts = [try PhotoFacts(from: decoder)]
    }

    /// Writes the id, the renditions and the facts as members of one object.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(variants, forKey: .variants)
        try allFacts.encode(to: encoder)
    }
}

/// The tags of a photo, and the text with which a field states them: `lake, dawn`.
///
/// A comma in a tag becomes a space. Repeated tags, and those beyond limits of number and length, are left out.
package struct TagList: Sendable, Hashable {
    private static let most = 200
    /// The maximum length of a tag in bytes; longer ones are cut.
    private static let longest = 200

    /// The tags in their order.
    package let tags: [String]

    /// Creates a list of texts, each of which is a tag.
    package init(_ texts: some Sequence<String>) {
        var known: TextSet = []
        var tags: [String] = []
        for text in texts where tags.count < Self.most {
            let tag = Self.tag(text[...])
            if !tag.isEmpty, known.insert(tag) { tags.append(tag) }
        }
        self.tags = tags
    }

    /// Reads tags that commas separate or, in a text without commas, semicolons.
    package init(text: String) {
        let separator: Character = text.utf8.contains(UInt8(ascii: ",")) ? "," : ";"
        self.init(text.split(separator: separator).lazy.map(String.init))
    }

    /// The field's text; `nil` without tags.
    package var text: String? { tags.isEmpty ? nil : tags.joined(separator: ", ") }

    /// Returns a tag without commas, and with single spaces only between words.
    private static func tag(_ text: Substring) -> String {
        var tag = String.UnicodeScalarView()
        var length = 0
        for word in text.unicodeScalars.split(whereSeparator: { $0 == "," || $0.properties.isWhitespace }) {
            if !tag.isEmpty { tag.append(" ") }
            for scalar in word {
                length += UTF8.width(scalar)
                guard length <= longest else { return String(tag) }
                tag.append(scalar)
            }
        }
        return String(tag)
    }
}

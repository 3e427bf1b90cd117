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
    var camera: String?
    var tags: String?
    var usage: String?
    var columns: String?
    var source: String?
    var iconSide: Int?
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

// SPDX-License-Identifier: MIT

/// A change of the marks of one photo, which a user makes in the gallery: its rating, caption and tags.
package struct PhotoMark: Sendable, Hashable {
    /// The possible ratings; 0 removes one.
    package static let ratings = rejected...5
    /// The rating of a rejected photo, as in XMP.
    static let rejected = -1
    /// The longest text in bytes, which the gallery shows completely.
    private static let longest = 2000
    /// The fields that are marks.
    package static let fields = PhotoField.all.filter(\.isMark)

    /// The position of the photo in its mirror.
    package let seq: Int
    /// The fields that change; the others stay as they are.
    package private(set) var changed: [PhotoField] = []
    /// A photo that has only the new marks.
    package private(set) var marks = Photo(id: "")

    /// Reads a change from a request or a journal; returns `nil` if it is invalid.
    ///
    /// A value of `null` removes a mark. Control characters are refused, because marks are shown in many places.
    package init?(_ json: JSON) {
        guard case .object(let members) = json, case .number? = json["seq"], let seq = json["seq"]?.quantity, seq > 0
        else { return nil }
        self.seq = seq
        for member in members where member.name != "seq" {
            guard let field = Self.fields.first(where: { $0.name == member.name }), !changed.contains(field) else {
                return nil
            }
            changed.append(field)
            switch (field.property, member.value) {
            case (_, .null): break
            case (.number(let path), .number):
                guard let number = member.value.integer?.within(Self.ratings) else { return nil }
                marks[keyPath: path] = number
            case (.text(let path), .string(let text)):
                guard text.utf8.count <= Self.longest, !text.unicodeScalars.contains(where: Self.isControl) else {
                    return nil
                }
                let value = field.kind == .tags ? TagList(text: text).text : text
                marks[keyPath: path] = value?.isEmpty == true ? nil : value
            default: return nil
            }
        }
        // A name that is there twice would be ambiguous.
        guard !changed.isEmpty, members.count == changed.count + 1 else { return nil }
    }

    /// Writes the members that the initializer reads.
    package func write(to object: inout JSONWriter) {
        object.member("seq", seq)
        for field in changed {
            if let number = field.number(of: marks) {
                object.member(field.name, number)
            } else if let text = field.text(of: marks) {
                object.member(field.name, text)
            } else {
                object.member(null: field.name)
            }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
}

extension Photo {
    /// Whether the user rejected the photo, so that it is neither downloaded nor shown or exported.
    package var isRejected: Bool { rating == PhotoMark.rejected }

    /// The photo with the user's caption instead of the feed's, and with the tags of both.
    package var curated: Photo {
        guard userCaption != nil || userTags != nil else { return self }
        var photo = self
        photo.caption = userCaption ?? caption
        photo.tags = TagList([tags, userTags].compactMap(\.self).flatMap { TagList(text: $0).tags }).text
        return photo
    }

    /// Takes over the marks of another photo.
    package mutating func takeMarks(of other: Photo) {
        guard !other.facts.isEmpty else { return }
        (rating, userCaption, userTags) = (other.rating, other.userCaption, other.userTags)
    }
}

// SPDX-License-Identifier: MIT

package import SluiceModel

/// The facts in a sidecar: a JSON file of gallery-dl, of Google Takeout or of img2dataset, or an XMP file.
///
/// Sidecars are untrusted. Texts are cut, and a text that does not fit its field is ignored.
package struct PhotoSidecar: Sendable, Hashable {
    /// The maximum size of a sidecar in bytes.
    package static let maxBytes = 1 << 20

    /// The fields that a sidecar states; the others describe the file, or the photo's place in a feed.
    private static let fields = [
        \Photo.caption, \.author, \.authorURL, \.pageURL, \.license, \.licenseURL, \.attribution, \.tags,
    ].map { PhotoField.field($0) }

    /// The photo's address; `nil` if the sidecar does not state it.
    package private(set) var address: String?
    /// The facts; the id is empty.
    private var facts = Photo(id: "")

    /// Reads a sidecar; `nil` for another file.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maxBytes else { return nil }
        let start = bytes.prefix(1024).first { ![0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
        if start == UInt8(ascii: "<") {
            guard let root = try? XMLDocument.root(of: bytes, token: CancellationToken()) else { return nil }
            self.init(XMPProperties(of: root))
        } else {
            guard let json = try? JSON(parsing: bytes), case .object(let members) = json else { return nil }
            if json["photoTakenTime"] != nil { self.init(takeout: json) } else { self.init(json, members) }
        }
        facts.normalizeLicense()
    }

    /// Adds the facts that a photo lacks; returns whether there are any.
    package func complete(_ photo: inout Photo) -> Bool {
        let before = photo
        for field in Self.fields where field.text(of: photo) == nil {
            if case .text(let path) = field.property { photo[keyPath: path] = facts[keyPath: path] }
        }
        photo.date = photo.date ?? facts.date
        return photo != before
    }

    /// Reads a file of Google Takeout, whose title is the name of the file and whose address is a page.
    private init(takeout json: JSON) {
        set(.field(\.caption), json["description"]?.text)
        set(.field(\.pageURL), json["url"]?.text)
        facts.date = json["photoTakenTime"]?["timestamp"]?.time
    }

    /// Reads a file of gallery-dl's postprocessor `metadata` or of img2dataset.
    private init(_ json: JSON, _ members: [JSON.Member]) {
        address = ["url", "file_url", "original_url"].lazy.compactMap { json[$0]?.text }.first(where: Self.isAddress)
        for name in ["description", "caption", "content", "title"] {
            // Posts are HTML on many sites.
            set(.field(\.caption), json[name]?.text.map { $0.contains("</") ? plainText(fromHTML: $0) : $0 })
        }
        for member in members {
            guard let field = ListField(columnNamed: member.name), case .fact(let fact) = field else { continue }
            let isAuthor = fact == .field(\.author)
            let text =
                isAuthor ? Self.author(member.value) : JSONRecordParser.text(of: member.value, for: field)
            if Self.fields.contains(fact) { set(fact, text) }
            if fact.kind == .date, facts.date == nil { facts.date = text.flatMap { PublishedDate.seconds(of: $0) } }
        }
        // Services name the author in their own ways.
        for name in ["user", "owner", "username", "uploader", "account"] {
            set(.field(\.author), json[name].flatMap(Self.author))
        }
    }

    /// The members of a person with a name, those with a name for display first.
    private static let names = [
        "nick", "display_name", "displayName", "full_name", "realname", "name", "username", "screen_name", "handle",
    ]

    /// The name of a person or of several; a number is an id.
    private static func author(_ value: JSON) -> String? {
        switch value {
        case .string(let text): return text
        case .array(let people): return people.compactMap(author).joined(separator: "; ")
        default:
            return names.lazy.compactMap { if case .string(let text)? = value[$0], !text.isEmpty { text } else { nil } }
                .first
        }
    }

    private init(_ xmp: XMPProperties) {
        address = xmp.texts("identifier").first { Self.isAddress($0) }
        set(.field(\.caption), xmp.texts("description").first ?? xmp.texts("title").first)
        let creators = xmp.texts("creator")
        set(.field(\.author), creators.isEmpty ? nil : creators.joined(separator: "; "))
        set(.field(\.authorURL), xmp.texts("attributionURL").first)
        set(.field(\.pageURL), xmp.texts("source").first)
        set(.field(\.license), xmp.texts("UsageTerms").first)
        set(.field(\.licenseURL), xmp.texts("license").first ?? xmp.texts("WebStatement").first)
        set(.field(\.attribution), xmp.texts("Credit").first ?? xmp.texts("rights").first)
        set(.field(\.tags), TagList(xmp.texts("subject")).text)
        facts.date = (xmp.texts("DateCreated") + xmp.texts("CreateDate")).lazy.compactMap(PublishedDate.seconds).first
    }

    /// Sets a fact unless it is set, or the text does not fit.
    private mutating func set(_ field: PhotoField, _ text: String?) {
        guard let text = text?.trimmed.truncated(to: Photo.maxTextLength), !text.isEmpty,
            case .text(let path) = field.property, facts[keyPath: path] == nil
        else { return }
        switch field.kind {
        case .link: if Self.isAddress(text) { facts[keyPath: path] = text }
        case .tags: facts[keyPath: path] = TagList(text: text).text
        // Some services state the licence as a number of their own.
        default: if Int(text) == nil || field != .field(\.license) { facts[keyPath: path] = text }
        }
    }

    private static func isAddress(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }
}

/// The properties of an XMP packet, by their names without prefixes.
private struct XMPProperties {
    private var values: [String: [String]] = [:]

    init(of root: XMLElement) {
        for description in root.subtree where description.name == "Description" {
            for (name, text) in description.attributes where values[name] == nil { values[name] = [text] }
            for property in description.children where values[property.name] == nil {
                let items = property.subtree.filter { $0.name == "li" }.compactMap(\.text)
                values[property.name] = items.isEmpty ? [property.text ?? property["resource"] ?? ""] : items
            }
        }
    }

    /// The texts of a property; none if it is absent.
    func texts(_ name: String) -> [String] { values[name]?.filter { !$0.isEmpty } ?? [] }
}

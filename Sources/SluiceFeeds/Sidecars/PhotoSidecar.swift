// SPDX-License-Identifier: MIT

package import SluiceModel

/// The facts in a sidecar: a JSON file of gallery-dl, of Google Takeout or of img2dataset, or an XMP file; also those
/// of the XMP in a picture.
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
    /// The name of the file, which Takeout cuts in the names of files.
    package private(set) var fileName: String?
    /// Whether the date is that of the photo, and not that of its publication.
    package private(set) var datesCapture = false
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

    /// Creates the facts that a picture states beside its XMP.
    package init(caption: String?, author: String?, attribution: String?, tags: [String], time: String?) {
        set(.field(\.caption), caption)
        set(.field(\.author), author)
        set(.field(\.attribution), attribution)
        set(.field(\.tags), TagList(tags).text)
        facts.setDate(time, from: "")
    }

    /// Adds the facts that a photo lacks, except its date and its place; returns whether there are any.
    @discardableResult package func complete(_ photo: inout Photo) -> Bool {
        let before = photo
        for field in Self.fields where field.text(of: photo) == nil {
            if case .text(let path) = field.property { photo[keyPath: path] = facts[keyPath: path] }
        }
        return photo != before
    }

    /// Adds the date to a photo that lacks it; returns whether the sidecar has one.
    @discardableResult package func addDate(to photo: inout Photo, from source: String = "sidecar") -> Bool {
        guard photo.date == nil, facts.date != nil else { return false }
        photo.date = facts.date
        // Its own source has the suffix of a local time.
        photo.dateSource = source + (facts.dateSource ?? "")
        return true
    }

    /// Adds the place to a photo that lacks it.
    package func addPlace(to photo: inout Photo) { photo.place = photo.place ?? facts.place }

    /// Reads a file of Google Takeout, whose title is the name of the file and whose address is a page.
    private init(takeout json: JSON) {
        set(.field(\.caption), json["description"]?.text)
        set(.field(\.pageURL), json["url"]?.text)
        fileName = json["title"]?.text
        facts.date = json["photoTakenTime"]?["timestamp"]?.time
        datesCapture = true
        for name in ["geoData", "geoDataExif"] {
            let degrees = ["latitude", "longitude"].compactMap { json[name]?[$0]?.text.flatMap(Double.init) }
            if degrees.count == 2 { facts.setPlace(degrees[0], degrees[1]) }
        }
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
        for name in ["DateCreated", "DateTimeOriginal", "CreateDate"] {
            facts.setDate(xmp.texts(name).first, from: "")
        }
        datesCapture = true
        let degrees = ["GPSLatitude", "GPSLongitude"].compactMap { xmp.texts($0).first.flatMap(Self.degrees) }
        if degrees.count == 2 { facts.setPlace(degrees[0], degrees[1]) }
    }

    /// Reads degrees with minutes, or with minutes and seconds: `48,51.5022N`; south and west are negative.
    private static func degrees(_ text: String) -> Double? {
        let parts = text.dropLast().split(separator: ",").map { Double($0) ?? .nan }
        guard let side = text.last, "NESW".contains(side), (2...3).contains(parts.count) else { return nil }
        let value = parts.reversed().reduce(0) { $0 / 60 + $1 }
        return value.isFinite ? ("SW".contains(side) ? -value : value) : nil
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

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A resource of the IIIF Presentation API; hides the differences between versions 2 and 3.
struct IIIFDocument: Sendable {
    let json: JSON

    var id: String? { json["id"]?.text ?? json["@id"]?.text }

    /// The resource's type without its prefix, such as `Manifest`, `Collection`, `Canvas` or `Image`.
    var type: String? {
        let type = json["type"]?.text ?? json["@type"]?.text
        return type?.split(separator: ":").last.map(String.init)
    }

    /// Whether this is a manifest with its canvases, and not only a reference to one.
    var isWholeManifest: Bool { type == "Manifest" && !(all("items") + all("sequences")).isEmpty }

    /// Returns the resources in a member: the elements of an array, or a single object.
    func all(_ name: String) -> [IIIFDocument] {
        guard let value = json[name] else { return [] }
        if let elements = value.elements { return elements.map(IIIFDocument.init) }
        if case .object = value { return [IIIFDocument(json: value)] }
        return []
    }

    /// Returns a member's text, without its HTML; it is truncated, because many photos may repeat it.
    func text(_ name: String) -> String? { json[name].flatMap(Self.text)?.truncated(to: Photo.maxTextLength) }

    /// Returns a member's address: a text, the id of an object, or the first of an array of these.
    func address(_ name: String) -> String? {
        guard let value = json[name] else { return nil }
        let first = value.elements?.first ?? value
        let address = first.text ?? IIIFDocument(json: first).id
        return address.flatMap { $0.utf8.count <= Photo.maxAddressLength ? $0 : nil }
    }

    /// Reads a text in any form of both versions: plain, with a language, an array, or an object with language keys.
    private static func text(_ value: JSON) -> String? {
        let text: String?
        switch value {
        case .array(let elements): text = elements.lazy.compactMap(Self.text).first
        case .object(let members):
            text = (value["@value"] ?? value["en"] ?? value["none"] ?? members.first?.value).flatMap(Self.text)
        default: text = value.text.map(plainText(fromHTML:))
        }
        return text?.isEmpty == true ? nil : text
    }
}

/// A collection, or one page of it: manifests and subcollections, in order.
struct IIIFCollection {
    /// The members, most of which are references.
    let members: [IIIFDocument]
    /// The address of the next page of a paged collection (version 2).
    let next: String?

    init(_ collection: IIIFDocument) {
        // Version 2 has `members`, which takes precedence over its older `collections` and `manifests`.
        let lists = [["items"], ["members"], ["collections", "manifests"]]
        members = lists.lazy.map { $0.flatMap(collection.all) }.first { !$0.isEmpty } ?? []
        let first = members.isEmpty ? collection.address("first") : nil
        next = first ?? collection.address("next")
    }
}

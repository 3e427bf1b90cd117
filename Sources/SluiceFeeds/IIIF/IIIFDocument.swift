// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A resource of the IIIF Presentation API, in its second or third version: they name the same things differently.
struct IIIFDocument {
    let json: JSON

    /// The resource's address.
    var id: String? { json["id"]?.text ?? json["@id"]?.text }

    /// The resource's type without its prefix: `Manifest`, `Collection`, `Canvas`, `Image`.
    var type: String? {
        let type = json["type"]?.text ?? json["@type"]?.text
        return type?.split(separator: ":").last.map(String.init)
    }

    /// The resources under a name: of an array, each; of an object, itself.
    func all(_ name: String) -> [IIIFDocument] {
        guard let value = json[name] else { return [] }
        if let elements = value.elements { return elements.map(IIIFDocument.init) }
        if case .object = value { return [IIIFDocument(json: value)] }
        return []
    }

    /// What a reader is told under a name, without its HTML.
    func words(_ name: String) -> String? { json[name].flatMap(Self.words) }

    /// The address under a name, whether it stands there alone, in an object, or as the first of several.
    func address(_ name: String) -> String? {
        guard let value = json[name] else { return nil }
        let first = value.elements?.first ?? value
        return first.text ?? IIIFDocument(json: first).id
    }

    /// A text in any of the forms that both versions have: plain, with its language, one of several, or by language.
    private static func words(_ value: JSON) -> String? {
        let text: String?
        switch value {
        case .array(let elements): text = elements.lazy.compactMap(words).first
        case .object(let members):
            text = (value["@value"] ?? value["en"] ?? value["none"] ?? members.first?.value).flatMap(words)
        default: text = value.text.map(plainText)
        }
        return text?.isEmpty == true ? nil : text
    }
}

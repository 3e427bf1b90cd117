// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The description of an object in the Metadata Object Description Schema (MODS) 3.
struct MODSDescription {
    private static let namespaces: Set<String> = ["http://www.loc.gov/mods/v3"]
    private static let makers = ["photographer", "creator", "artist"]

    private let element: XMLElement

    /// Finds the description in a record's metadata; `nil` if there is none.
    init?(_ metadata: XMLElement) {
        let found = metadata.subtree.first { $0.name == "mods" && Self.namespaces.contains($0.namespace) }
        guard let found else { return nil }
        element = found
    }

    /// The addresses of the object's files that end like pictures; others may lead to viewers and documents.
    var pictures: [String] {
        var seen: TextSet = []
        return addresses("raw object").filter { PictureName.isPicture($0) && seen.insert($0) }
    }

    var previews: [String] { addresses("preview") }

    /// A photo with the object's facts.
    var photo: Photo {
        var photo = Photo(id: "")
        photo.caption = title(of: element) ?? text(of: element.first("abstract"))
        photo.author = author
        photo.pageURL = addresses("object in context").first
        let statements = element.all("accessCondition")
        let licenses = statements.compactMap { $0["href"] } + statements.compactMap(text)
        photo.license =
            licenses.first { LicenseName.name(for: $0) != nil } ?? licenses.first { OAIRecord.webAddress($0) != nil }
        photo.normalizeLicense()
        photo.attribution = statements.lazy.compactMap(text).first { OAIRecord.webAddress($0) == nil }
        photo.collection = element.all("relatedItem").first { $0["type"] == "host" }.flatMap(title)
        let origins = element.all("originInfo")
        let dates = origins.flatMap { $0.all("dateCreated") + $0.all("dateIssued") }
        photo.date = dates.lazy.compactMap(\.text).compactMap(PublishedDate.seconds).first
        photo.tags = TagList(element.all("subject").flatMap { $0.all("topic") }.compactMap(text)).text
        return photo
    }

    /// The person or institution that made the object, or else the first one that is named.
    private var author: String? {
        let names = element.all("name")
        let maker = names.first { name in
            name.all("role").flatMap(\.children).contains { Self.makers.contains($0.text?.lowercased() ?? "") }
        }
        return (maker ?? names.first)?.all("namePart").lazy.filter { $0["type"] == nil }.compactMap(text).first
    }

    private func title(of element: XMLElement) -> String? {
        text(of: element.all("titleInfo").lazy.compactMap { $0.first("title") }.first)
    }

    private func text(of element: XMLElement?) -> String? {
        element?.text.map { plainText(fromHTML: $0).truncated(to: Photo.maxTextLength) }
    }

    private func addresses(_ access: String) -> [String] {
        element.all("location").flatMap { $0.all("url") }.filter { $0["access"] == access }.compactMap {
            $0.text.flatMap(OAIRecord.webAddress)
        }
    }
}

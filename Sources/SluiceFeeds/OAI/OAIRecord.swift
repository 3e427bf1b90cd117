// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A record of an OAI-PMH repository in Dublin Core, simple or qualified, in the Europeana Data Model (EDM), in MODS,
/// or in METS.
struct OAIRecord {
    private static let europeana: Set<String> = [
        "http://www.europeana.eu/schemas/edm/", "http://www.europeana.eu/schemas/ese/",
        "http://europeana.edu/schemas/edm/",
    ]
    /// The elements of Dublin Core that may have the address of a picture.
    private static let links: Set<String> = ["identifier", "relation", "source", "hasFormat", "hasVersion"]
    /// The elements of EDM that describe files, persons or terms instead of the object.
    private static let others: Set<String> = [
        "WebResource", "Agent", "Concept", "Place", "TimeSpan", "Event", "Service", "Organization", "License",
    ]

    private let header: XMLElement?
    /// The elements that describe the object.
    private let elements: [XMLElement]
    /// The elements with an address of their own, which others refer to.
    private let resources: TextMap<XMLElement>
    /// Whether the record says that its object is no picture, but for example a video.
    private let isOtherObject: Bool
    private let mods: MODSDescription?
    private let mets: METSFiles?
    private let metadata: XMLElement?

    /// Reads a record, or a METS document, which has no header.
    init(_ record: XMLElement) {
        header = record.first("header")
        metadata = record.name == METSFiles.root ? record : record.first("metadata")
        mods = metadata.flatMap(MODSDescription.init)
        mets = metadata.flatMap(METSFiles.init)
        var resources: TextMap<XMLElement> = [:]
        for element in metadata?.subtree ?? [] {
            if let address = element["about"], resources[address] == nil { resources[address] = element }
        }
        self.resources = resources
        elements = metadata.map(Self.described) ?? []
        let types = Self.europeana(elements, "type").compactMap(\.text)
        isOtherObject = !types.isEmpty && !types.contains("IMAGE")
    }

    /// Whether the record has been deleted from the repository.
    var isDeleted: Bool { header?["status"] == "deleted" }

    /// The address of a IIIF manifest that the record names; `nil` if it names none.
    var manifest: String? {
        let texts = metadata?.subtree.lazy.flatMap { [$0["resource"], $0["href"], $0["about"], $0.text] }
        return texts?.compactMap(\.self).first { text in
            ["/manifest.json", "/manifest"].contains { text.hasSuffix($0) } && Self.webAddress(text) != nil
        }
    }

    /// Returns the record's photos, of which the first has the preview as a variant; empty if it has no picture.
    func photos() -> [Photo] {
        if let mets { return photos(of: mets.pages) }
        var pictures = mods?.pictures ?? pictures()
        let known = TextSet(pictures)
        let preview = (mods?.previews ?? previews()).first { !known.contains($0) }
        // Many repositories have nothing but a preview.
        if pictures.isEmpty { pictures = [preview].compactMap(\.self) }
        guard let first = pictures.first else { return [] }
        let described = described()
        let id = id ?? first
        return pictures.enumerated().map { index, address in
            var photo = described
            photo.id = index == 0 ? id : "\(id)#\(index + 1)"
            var variant = Variant(name: Variant.original, url: address)
            if let file = resources[address] {
                (variant.width, variant.height) = (Self.size(file, "width"), Self.size(file, "height"))
            }
            (photo.width, photo.height) = (variant.width, variant.height)
            photo.variants = [variant]
            if index == 0, let preview, preview !== address {
                photo.variants.append(Variant(name: "preview", url: preview))
            }
            return photo
        }
    }

    private var id: String? {
        header?.text("identifier").flatMap { $0.utf8.count <= Photo.maxIDLength ? $0 : nil }
    }

    /// Returns the photos of pages, each with its renditions.
    private func photos(of pages: [[Variant]]) -> [Photo] {
        let described = described()
        return pages.enumerated().map { index, variants in
            var photo = described
            photo.id = id.map { index == 0 ? $0 : "\($0)#\(index + 1)" } ?? variants[0].url
            photo.variants = variants
            return photo
        }
    }

    // MARK: - Pictures

    /// The distinct addresses of the object's pictures: in EDM, or else in Dublin Core.
    private func pictures() -> [String] {
        let shown = Self.europeana(elements, "isShownBy") + Self.europeana(elements, "hasView")
        let views = shown.compactMap(address).filter { !isOtherMedium($0) }
        let links = views.isEmpty ? self.links().filter { PictureName.isPicture($0) && !Self.isThumbnail($0) } : views
        var seen: TextSet = []
        return links.filter { seen.insert($0) }
    }

    private func previews() -> [String] {
        let stated = Self.europeana(elements, "object") + Self.europeana(elements, "preview")
        return stated.compactMap(address).filter { !isOtherMedium($0) } + links().filter(Self.isThumbnail)
    }

    /// The addresses in Dublin Core; the National Library of France and others write a word before that of a preview.
    private func links() -> [String] {
        elements.filter { Self.links.contains($0.name) && Namespaces.dublinCore.contains($0.namespace) }.compactMap {
            let text = $0["resource"] ?? $0.text
            return text.flatMap { Self.webAddress($0.hasPrefix("vignette : ") ? String($0.dropFirst(11)) : $0) }
        }
    }

    private static func isThumbnail(_ address: String) -> Bool { address.lowercased().contains("thumb") }

    /// Whether an address of EDM leads to a file that is not a picture, by its format, its object's type or its name.
    private func isOtherMedium(_ address: String) -> Bool {
        let file = resources[address]
        if let format = file?.text("hasMimeType") ?? file?.text("format"), format.contains("/") {
            return !format.lowercased().hasPrefix("image/")
        }
        return isOtherObject && !PictureName.isPicture(address)
    }

    /// The address that an element has as attribute, as the address of its child, or as text.
    private func address(of element: XMLElement) -> String? {
        (element["resource"] ?? element.children.first?["about"] ?? element.text).flatMap(Self.webAddress)
    }

    static func webAddress(_ text: String) -> String? {
        guard text.utf8.count <= Photo.maxAddressLength, let address = WebAddress(text),
            ["http", "https"].contains(address.scheme)
        else { return nil }
        return text
    }

    private static func size(_ file: XMLElement, _ name: String) -> Int? {
        file.text(name).flatMap { Int($0) }.flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    }

    // MARK: - Facts

    /// A photo with everything that the record's pictures share, and the record's id.
    func described() -> Photo {
        var photo = mods?.photo ?? describedInDublinCore()
        photo.id = id ?? manifest ?? ""
        return photo
    }

    private func describedInDublinCore() -> Photo {
        var photo = Photo(id: "")
        photo.caption = text("title") ?? text("description")
        photo.author = text("creator") ?? text("contributor")
        photo.pageURL =
            Self.europeana(elements, "isShownAt").lazy.compactMap(address).first
            ?? links().first { !Self.isThumbnail($0) && !PictureName.isPicture($0) }
        let statements = texts("license") + texts("rights")
        let licenses = Self.europeana(elements, "rights").compactMap(address) + statements
        photo.license =
            licenses.first { LicenseName.name(for: $0) != nil } ?? licenses.first { Self.webAddress($0) != nil }
        photo.normalizeLicense()
        photo.attribution =
            statements.first { Self.webAddress($0) == nil }
            ?? Self.europeana(elements, "dataProvider").lazy.compactMap(label).first ?? text("publisher")
        photo.collection = text("isPartOf")
        photo.date = (texts("issued") + texts("created") + texts("date")).lazy.compactMap(PublishedDate.seconds).first
        photo.tags = TagList(texts("subject")).text
        return photo
    }

    /// Returns the first text of an element of Dublin Core, in English if there is one.
    private func text(_ name: String) -> String? {
        let all = named(name)
        return (all.filter { $0["lang"] == "en" } + all).lazy.compactMap(label).first
    }

    private func texts(_ name: String) -> [String] { named(name).compactMap(label) }

    private func named(_ name: String) -> [XMLElement] {
        elements.filter { $0.name == name && Namespaces.dublinCore.contains($0.namespace) }
    }

    /// An element's text, or the label of the person or term that it refers to.
    private func label(of element: XMLElement) -> String? {
        let resource = element["resource"]
        let other = resource.flatMap { resources[$0] } ?? element.children.first
        let labels = other.map { $0.all("prefLabel") + $0.all("name") } ?? []
        let label = labels.first { $0["lang"] == "en" } ?? labels.first
        let text = (label ?? element).text.map { plainText(fromHTML: $0).truncated(to: Photo.maxTextLength) }
        return text?.isEmpty == false ? text : resource
    }

    /// The elements below one, except those of files, persons and terms.
    private static func described(_ element: XMLElement) -> [XMLElement] {
        element.children.filter { !others.contains($0.name) }.flatMap { [$0] + described($0) }
    }

    private static func europeana(_ elements: [XMLElement], _ name: String) -> [XMLElement] {
        elements.filter { $0.name == name && europeana.contains($0.namespace) }
    }
}

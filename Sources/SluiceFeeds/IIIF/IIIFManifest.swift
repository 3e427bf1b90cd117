// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A manifest: an object such as a book or an album, with one canvas for each page or picture.
struct IIIFManifest {
    private let id: String
    private let facts: Facts
    /// The items of version 3, or the canvases of all sequences of version 2.
    private let canvases: [IIIFDocument]
    /// The manifest itself, because it may have pictures beside its canvases.
    private let manifest: IIIFDocument
    /// The fetched annotation pages, by address.
    private var pages: TextMap<Result<IIIFDocument, Failure>> = [:]

    init(_ manifest: IIIFDocument) {
        id = manifest.id?.truncated(to: Photo.maxIDLength) ?? "manifest"
        facts = Facts(of: manifest)
        self.manifest = manifest
        let items = manifest.all("items")
        // Sequences are orders of the same canvases, but a later one may have canvases of its own.
        var ids: TextSet = []
        let sequences = manifest.all("sequences").enumerated()
        canvases =
            items.isEmpty
            ? sequences.flatMap { number, sequence in
                sequence.all("canvases").filter { canvas in
                    let isNew = canvas.id.map { ids.insert($0) } ?? true
                    return number == 0 || isNew
                }
            } : items
    }

    private static let accompanying = ["accompanyingCanvas", "accompanyingContainer"]
    private static let placeholders = ["placeholderCanvas", "placeholderContainer", "posterCanvas"]

    /// The canvases beside one: those that accompany it, and, if it has no picture, those shown before it plays.
    private static func canvases(beside canvas: IIIFDocument, hasPicture: Bool) -> [IIIFDocument] {
        (accompanying + (hasPicture ? [] : placeholders)).flatMap(canvas.all)
    }

    /// The annotation pages of a canvas; drafts of version 3 called them its content.
    private static func pages(of canvas: IIIFDocument) -> [IIIFDocument] {
        canvas.all("items") + canvas.all("content")
    }

    /// The addresses of the annotation pages that are not embedded.
    var externalPages: [String] {
        let beside = ([manifest] + canvases).flatMap { Self.canvases(beside: $0, hasPicture: false) }
        return (canvases + beside).flatMap(Self.pages).filter { $0.json["items"] == nil }.compactMap(\.id)
    }

    /// Adds an annotation page, or the reason why it cannot be fetched.
    mutating func add(_ page: Result<IIIFDocument, Failure>, at address: String) { pages[address] = page }

    /// The number of canvases that only have sound, video or text.
    var otherCanvases: Int {
        canvases.count { hasOnlyOtherMedia($0) && pictures(beside: $0, hasPicture: false).isEmpty }
    }

    private func hasOnlyOtherMedia(_ canvas: IIIFDocument) -> Bool {
        let bodies = bodies(on: canvas)
        return !bodies.isEmpty && bodies.allSatisfy(Self.isOtherMedium)
    }

    private func pictures(beside canvas: IIIFDocument, hasPicture: Bool) -> [IIIFDocument] {
        Self.canvases(beside: canvas, hasPicture: hasPicture).flatMap(bodies).filter { IIIFImage(body: $0) != nil }
    }

    /// The photos of all canvases, in order, except those of ``otherCanvases``.
    ///
    /// A canvas without a picture becomes a photo with an `invalidReason`.
    func photos(token: CancellationToken) throws(Failure) -> [Photo] {
        var photos: [Photo] = []
        for (index, canvas) in canvases.enumerated() {
            try token.check()
            let id = canvas.id ?? "\(id) canvas \(index + 1)"
            let own = bodies(on: canvas).filter { !Self.isOtherMedium($0) }
            let hasPicture = own.contains { IIIFImage(body: $0) != nil }
            let beside = pictures(beside: canvas, hasPicture: hasPicture)
            let bodies = hasPicture || beside.isEmpty ? own + beside : beside
            photos += self.photos(of: bodies, on: canvas, id: id)
            if bodies.isEmpty, !hasOnlyOtherMedia(canvas) { photos.append(emptyCanvas(canvas, index, id)) }
        }
        let cover = pictures(beside: manifest, hasPicture: photos.contains { $0.invalidReason == nil })
        return photos + self.photos(of: cover, on: manifest, id: id)
    }

    private func photos(of bodies: [IIIFDocument], on canvas: IIIFDocument, id: String) -> [Photo] {
        bodies.enumerated().map { number, body in
            photo(of: body, on: canvas, id: number == 0 ? id : "\(id)#\(number + 1)")
        }
    }

    /// Whether a body is a medium other than a picture.
    private static func isOtherMedium(_ body: IIIFDocument) -> Bool {
        guard IIIFImage(body: body) == nil else { return false }
        let inner = body.type == "Choice" ? body.all("items") + body.all("item") : body.all("source")
        return IIIFImage.isOtherMedium(body) || !inner.isEmpty && inner.allSatisfy(isOtherMedium)
    }

    /// Creates the photo for a canvas without a picture; its reason is the failure of its annotation page, if any.
    private func emptyCanvas(_ canvas: IIIFDocument, _ index: Int, _ id: String) -> Photo {
        for page in Self.pages(of: canvas) {
            guard case .failure(let failure)? = page.id.flatMap({ pages[$0] }) else { continue }
            var photo = Photo(id: id)
            photo.invalidReason = failure
            return photo
        }
        return invalid(id, "canvas \(index + 1) has no picture")
    }

    /// Returns the annotations of an embedded or fetched page.
    private func annotations(of page: IIIFDocument) -> [IIIFDocument] {
        guard page.json["items"] == nil, let id = page.id, case .success(let found)? = pages[id] else {
            return page.all("items")
        }
        return found.all("items")
    }

    private func bodies(on canvas: IIIFDocument) -> [IIIFDocument] {
        let annotations = Self.pages(of: canvas).flatMap(annotations)
        let painting = annotations.filter { ($0.json["motivation"]?.text ?? "painting") == "painting" }
        return painting.flatMap { $0.all("body") } + canvas.all("images").flatMap { $0.all("resource") }
    }

    private func photo(of body: IIIFDocument, on canvas: IIIFDocument, id: String) -> Photo {
        guard let image = IIIFImage(body: body) else { return invalid(id, "the canvas content is not a picture") }
        var photo = Photo(id: id, variants: image.variants)
        guard !photo.variants.isEmpty else { return invalid(id, "the picture has no address") }
        (photo.width, photo.height) = (image.width, image.height)
        let label = canvas.text("label")
        let labels = [facts.title, label == facts.title ? nil : label].compactMap(\.self)
        photo.caption = labels.isEmpty ? nil : labels.joined(separator: ": ")
        photo.collection = facts.title
        photo.author = facts.author
        photo.pageURL = facts.pageURL
        photo.licenseURL = facts.licenseURL
        photo.normalizeLicense()
        photo.attribution = facts.attribution
        photo.date = (canvas.json["navDate"]?.text ?? facts.date).flatMap(PublishedDate.seconds)
        return photo
    }

    private func invalid(_ id: String, _ reason: String) -> Photo {
        var photo = Photo(id: id)
        photo.invalidReason = Failure(.feedParse, reason)
        return photo
    }
}

/// The metadata of a manifest, which applies to the pictures on all of its canvases.
private struct Facts {
    let title: String?
    let author: String?
    let pageURL: String?
    let licenseURL: String?
    let attribution: String?
    let date: String?

    /// Extracts the metadata once, because a manifest may have very many entries and canvases.
    init(of manifest: IIIFDocument) {
        title = manifest.text("label")
        author = Self.metadata(of: manifest, labelled: ["creator", "author", "artist", "photographer", "maker"])
        pageURL = manifest.address("homepage") ?? manifest.address("related")
        licenseURL = manifest.address("rights") ?? manifest.address("license")
        attribution = Self.requiredStatement(of: manifest) ?? manifest.text("attribution")
        date = manifest.json["navDate"]?.text
    }

    /// Returns the statement that clients must show (version 3), such as `Attribution: Museum of Sluice`.
    private static func requiredStatement(of manifest: IIIFDocument) -> String? {
        guard let statement = manifest.all("requiredStatement").first, let value = statement.text("value") else {
            return nil
        }
        return statement.text("label").map { "\($0): \(value)" } ?? value
    }

    /// Returns the first metadata entry of a manifest with one of these labels.
    private static func metadata(of manifest: IIIFDocument, labelled names: Set<String>) -> String? {
        let entries = manifest.all("metadata")
        return entries.first { $0.text("label").map { names.contains($0.lowercased()) } ?? false }?.text("value")
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A manifest: an object, a book, an album, with a canvas for each of its pages.
struct IIIFManifest {
    private let manifest: IIIFDocument
    /// The annotation pages that lie elsewhere, by their addresses.
    private var pages: [String: Result<IIIFDocument, Failure>] = [:]

    init(_ manifest: IIIFDocument) {
        self.manifest = manifest
    }

    /// The addresses of the annotation pages that the manifest only refers to.
    var absentPages: [String] {
        canvases.flatMap { $0.all("items") }.filter { $0.json["items"] == nil }.compactMap(\.id)
    }

    /// Takes up an annotation page, or why it cannot be had.
    mutating func add(_ page: Result<IIIFDocument, Failure>, at address: String) { pages[address] = page }

    /// The photos on all canvases, in their order; a canvas that has none that can be fetched is a flawed one.
    var photos: [Photo] {
        canvases.enumerated().flatMap { index, canvas in
            let id = canvas.id ?? "\(manifest.id ?? "manifest") canvas \(index + 1)"
            let photos = bodies(on: canvas).enumerated().map { place, body in
                photo(of: body, on: canvas, id: place == 0 ? id : "\(id)#\(place + 1)")
            }
            return photos.isEmpty ? [bare(canvas, index, id)] : photos
        }
    }

    /// A canvas without a picture: with the failure of its page, if that is the reason.
    private func bare(_ canvas: IIIFDocument, _ index: Int, _ id: String) -> Photo {
        for page in canvas.all("items") {
            guard case .failure(let failure)? = page.id.flatMap({ pages[$0] }) else { continue }
            var photo = Photo(id: id)
            photo.flaw = failure
            return photo
        }
        return flawed(id, "canvas \(index + 1) has no picture")
    }

    /// A page's annotations, wherever they lie.
    private func annotations(of page: IIIFDocument) -> [IIIFDocument] {
        guard page.json["items"] == nil, let id = page.id, case .success(let found)? = pages[id] else {
            return page.all("items")
        }
        return found.all("items")
    }

    /// The third version's items; of the second, the first sequence's canvases.
    private var canvases: [IIIFDocument] {
        let items = manifest.all("items")
        return items.isEmpty ? manifest.all("sequences").first?.all("canvases") ?? [] : items
    }

    private func bodies(on canvas: IIIFDocument) -> [IIIFDocument] {
        let annotations = canvas.all("items").flatMap(annotations)
        let painting = annotations.filter { ($0.json["motivation"]?.text ?? "painting") == "painting" }
        return painting.flatMap { $0.all("body") } + canvas.all("images").flatMap { $0.all("resource") }
    }

    private func photo(of body: IIIFDocument, on canvas: IIIFDocument, id: String) -> Photo {
        guard let image = IIIFImage(body: body) else { return flawed(id, "what is on the canvas is no picture") }
        var photo = Photo(id: id, variants: image.variants)
        guard !photo.variants.isEmpty else { return flawed(id, "the picture has no address") }
        (photo.width, photo.height) = (image.width, image.height)
        let title = manifest.words("label")
        let labels = [title, canvas.words("label")].compactMap(\.self)
        photo.caption = labels.isEmpty ? nil : labels.joined(separator: ": ")
        photo.collection = title
        photo.author = fact(["creator", "author", "artist", "photographer", "maker"])
        photo.pageURL = manifest.address("homepage") ?? manifest.address("related")
        photo.licenseURL = manifest.json["rights"]?.text ?? manifest.address("license")
        photo.attribution = statement ?? manifest.words("attribution")
        photo.date = (canvas.json["navDate"] ?? manifest.json["navDate"])?.text.flatMap(PublishedDate.seconds)
        return photo
    }

    /// What clients must show (third version): `Attribution: Museum of Sluice`.
    private var statement: String? {
        guard let required = manifest.all("requiredStatement").first, let value = required.words("value") else {
            return nil
        }
        return required.words("label").map { "\($0): \(value)" } ?? value
    }

    /// The first fact of the manifest's own list that has one of these names.
    private func fact(_ names: Set<String>) -> String? {
        let facts = manifest.all("metadata")
        return facts.first { $0.words("label").map { names.contains($0.lowercased()) } ?? false }?.words("value")
    }

    private func flawed(_ id: String, _ reason: String) -> Photo {
        var photo = Photo(id: id)
        photo.flaw = Failure(.feedParse, reason)
        return photo
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A page of a JSON Feed (version 1 or 1.1): the pictures of its items.
struct JSONFeedPage {
    private let feed: JSON
    private let address: WebAddress?

    init(_ bytes: [UInt8], from address: WebAddress?) throws(Failure) {
        do { feed = try JSON(parsing: Array(XMLCleaning.trimmed(bytes))) } catch {
            throw Failure(.feedParse, "\(error)")
        }
        self.address = address
    }

    /// The address of the next page.
    var next: String? { feed["next_url"]?.text.flatMap(resolve) }

    /// Returns the photos in the order of the items, with a note about items without a picture.
    func page(_ number: Int, token: CancellationToken) throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        let items = feed["items"]?.elements ?? []
        var withoutPicture = 0
        for item in items {
            try token.check()
            let photos = photos(of: item)
            if photos.isEmpty { withoutPicture += 1 }
            page.photos += photos
        }
        if withoutPicture > 0 {
            page.notes.append("page \(number): \(withoutPicture) of \(items.count) entries have no picture")
        }
        return page
    }

    private func photos(of item: JSON) -> [Photo] {
        let link = (item["url"] ?? item["external_url"])?.text.flatMap(resolve)
        let id = item["id"]?.text.flatMap { $0.utf8.count <= Photo.maxIDLength ? $0 : nil } ?? link
        let author =
            (item["authors"]?.elements?.first ?? item["author"]) ?? (feed["authors"]?.elements?.first ?? feed["author"])
        return addresses(of: item).enumerated().map { index, url in
            let own = id ?? url
            var photo = Photo(
                id: index == 0 ? own : "\(own)#\(index + 1)",
                variants: [Variant(name: SyndicationFeed.variant, url: url)])
            photo.caption = Self.text(item["title"]) ?? Self.text(item["summary"]) ?? Self.text(item["content_text"])
            photo.author = Self.text(author?["name"])
            photo.authorURL = author?["url"]?.text.flatMap(resolve)
            photo.pageURL = link
            photo.date = (item["date_published"] ?? item["date_modified"])?.text.flatMap(PublishedDate.seconds)
            return photo
        }
    }

    /// The distinct pictures: attachments, or else the main image and those of the text, or else the banner.
    private func addresses(of item: JSON) -> [String] {
        let attachments = (item["attachments"]?.elements ?? []).filter {
            $0["mime_type"]?.text?.lowercased().hasPrefix("image/") == true
        }.compactMap { $0["url"]?.text }
        let html = item["content_html"]?.text.map { HTMLImages.addresses(in: $0) } ?? []
        let embedded = [item["image"]?.text].compactMap(\.self) + html
        let banner = [item["banner_image"]?.text].compactMap(\.self)
        let found = [attachments, embedded, banner].first { !$0.isEmpty } ?? []
        var seen: TextSet = []
        return found.compactMap(resolve).filter { seen.insert($0) }
    }

    private func resolve(_ text: String) -> String? {
        guard text.utf8.count <= Photo.maxAddressLength, let resolved = WebAddress(text, relativeTo: address),
            ["http", "https"].contains(resolved.scheme)
        else { return nil }
        return resolved.text
    }

    private static func text(_ value: JSON?) -> String? {
        let text = value?.text.map { plainText(fromHTML: $0).truncated(to: Photo.maxTextLength) }
        return text?.isEmpty == true ? nil : text
    }
}

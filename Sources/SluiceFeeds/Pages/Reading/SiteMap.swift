// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Reads site maps (sitemaps.org) with their pictures, indexes of site maps, and `robots.txt`.
enum SiteMap {
    /// The maximum size in bytes, that of the protocol.
    static let limit = 50 << 20
    private static let images: Set<String> = [
        "http://www.google.com/schemas/sitemap-image/1.1", "https://www.google.com/schemas/sitemap-image/1.1",
    ]

    /// Reads a site map, or an index of site maps.
    static func document(_ bytes: [UInt8], followsLinks: Bool, token: CancellationToken) throws(Failure) -> WebDocument
    {
        let root = try XMLDocument.root(of: bytes, token: token)
        var document = WebDocument()
        for entry in root.children {
            guard let text = entry.text("loc"), let location = PagePhotos.resolve(text, nil)?.text else { continue }
            switch entry.name {
            case "sitemap": document.links.append(WebDocument.Link(address: location, isDeeper: false))
            case "url":
                let pictures = entry.all("image", in: images)
                document.photos += pictures.compactMap { photo(of: $0, on: location) }
                if PictureName.isPicture(location) {
                    document.photos.append(Photo(id: location, url: location))
                } else if followsLinks {
                    document.links.append(WebDocument.Link(address: location))
                } else if pictures.isEmpty {
                    document.pages += 1
                }
            default: break
            }
        }
        return document
    }

    private static func photo(of image: XMLElement, on page: String) -> Photo? {
        guard let text = image.text("loc"), let address = PagePhotos.resolve(text, nil)?.text,
            !PictureAddress.isVector(address)
        else { return nil }
        var photo = Photo(id: address, url: address)
        photo.caption = (image.text("caption") ?? image.text("title")).flatMap(PageText.line)
        photo.licenseURL = image.text("license").flatMap { PagePhotos.resolve($0, nil)?.text }
        photo.normalizeLicense()
        photo.pageURL = page
        return photo
    }

    /// Reads the `Sitemap:` lines of `robots.txt`.
    static func document(robots bytes: [UInt8], at address: WebAddress?) -> WebDocument {
        var document = WebDocument()
        for line in bytes.prefix(500 << 10).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
            guard parts.count == 2, String(parts[0]).trimmed.lowercased() == "sitemap",
                let target = PagePhotos.resolve(String(parts[1]).trimmed, address)
            else { continue }
            document.links.append(WebDocument.Link(address: target.text, isDeeper: false))
        }
        return document
    }

    /// Returns the bytes of a document that is stored in gzip, or the same bytes.
    static func expanded(_ bytes: [UInt8], token: CancellationToken) throws(Failure) -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        var decoder = GzipDecoder()
        var (rest, result): (ArraySlice<UInt8>, [UInt8]) = (bytes[...], [])
        while !rest.isEmpty {
            try token.check()
            let count = rest.count
            let piece = try decoder.decompress(&rest)
            result += piece
            guard result.count <= limit else {
                throw Failure(.tooLarge, "the document is larger than \(limit) bytes when it is decompressed")
            }
            if piece.isEmpty, rest.count == count { break }
        }
        return result
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The pages behind the thumbnails of an index, each of which shows one photo.
enum DetailPages {
    /// The number of thumbnails from which on a page can be an index.
    private static let minThumbnails = 3
    /// The pages that show pictures beside a text, and lead to other texts.
    private static let textTypes: Set<String> = ["article", "blog", "food", "recipe", "video.other"]

    /// Returns the addresses of the pages behind the thumbnails of an index, by the thumbnails' ids; none for another
    /// page.
    static func addresses(in found: PagePhotos, of page: WebPage, at address: WebAddress) -> TextMap<String> {
        if let type = page.type?.lowercased(), textTypes.contains(type) { return [:] }
        var pages: TextSet = [address.text]
        let thumbnails = found.thumbnails.filter { thumbnail in
            let link = thumbnail.link.text
            return thumbnail.link.hasOrigin(of: address) && isPage(link)
                && !link.utf8.starts(with: (address.text + "#").utf8)
                && pages.insert(link)
        }
        guard thumbnails.count >= minThumbnails, 2 * thumbnails.count >= found.photos.count else { return [:] }
        return TextMap(thumbnails.map { ($0.photo.id, $0.link.text) })
    }

    private static func isPage(_ address: String) -> Bool {
        // The page of a file of MediaWiki ends like the file.
        !PictureName.isPicture(address)
            && (WebDocument.isPage(address)
                || PictureName.lastComponent(of: address).contains { $0 == ":" || $0 == "%" })
    }

    /// Returns the photo of a page behind a thumbnail; `nil` if it has none.
    static func photo(behind thumbnail: Photo, in document: WebDocument, besides others: TextSet) -> Photo? {
        let key = PictureAddress(thumbnail.id).key
        let own = document.photos.filter {
            $0.id === thumbnail.id || !others.contains($0.id) && document.details[$0.id] == nil
        }
        let name = PictureName.lastComponent(of: key)
        let same =
            own.first { PictureAddress($0.id).key === key }
            ?? own.first { String(PictureName.lastComponent(of: PictureAddress($0.id).key)) === String(name) }
        func width(_ photo: Photo) -> Int { photo.variants.compactMap(\.width).max() ?? photo.width ?? 0 }
        // Navigation uses the formats of drawings.
        let widest = own.max {
            (width($0), PictureName.isDrawn($0.id) ? 0 : 1) < (width($1), PictureName.isDrawn($1.id) ? 0 : 1)
        }
        guard var photo = same ?? widest else { return nil }
        photo.caption = photo.caption ?? thumbnail.caption
        photo.usage = photo.usage ?? thumbnail.usage
        photo.iconSide = thumbnail.iconSide
        return photo
    }
}

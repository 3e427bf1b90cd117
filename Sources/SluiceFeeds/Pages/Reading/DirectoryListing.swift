// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The listing of a folder that a web server makes, such as those of nginx, Apache and Python.
struct DirectoryListing {
    private static let titles = ["Index of /", "Directory listing for /", "Listing of /", "Directory: /"]

    /// The picture files in the folder.
    private(set) var photos: [Photo] = []
    /// The addresses of the folders in it.
    private(set) var folders: [String] = []

    /// Reads a listing; `nil` if the page is none.
    init?(_ page: WebPage, at address: WebAddress?) {
        guard let address, let title = page.title, Self.titles.contains(where: { title.hasPrefix($0) }) else {
            return nil
        }
        let base = PagePhotos.base(of: page, at: address)
        let folder = address.text.prefix { $0 != "?" }
        var seen: TextSet = []
        for link in page.links {
            // Links such as `?C=N;O=D` sort the listing.
            guard let target = PagePhotos.resolve(link.address, base), !target.text.contains("?"),
                target.hasOrigin(of: address), target.text.utf8.starts(with: folder.utf8),
                target.text.utf8.count > folder.utf8.count, seen.insert(target.text)
            else { continue }
            if target.text.hasSuffix("/") {
                folders.append(target.text)
            } else if PictureName.isPicture(target.text) {
                var photo = Photo(id: target.text, url: target.text)
                photo.pageURL = address.text
                photos.append(photo)
            }
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Pages of services whose photos a recipe probably lists, in their largest size and with their licences.
enum ServicePage {
    /// The hosts and paths of pages, in which `*` is any component and `{}` the rest, and the sources of their photos.
    private static let pages: [(page: String, source: String)] = [
        ("commons.wikimedia.org/wiki/Category:{}", "commons:category/{}"),
        ("archive.org/details/{}", "archive:item/{}"), ("flickr.com/photos/*/albums/{}", "flickr:album/{}"),
        ("unsplash.com/s/photos/{}", "unsplash:search/{}"), ("unsplash.com/photos/{}", "unsplash:photo/{}"),
        ("pexels.com/search/{}", "pexels:search/{}"), ("pixabay.com/images/search/{}", "pixabay:search/{}"),
        ("loc.gov/collections/{}", "loc:collection/{}"), ("bsky.app/profile/{}", "bluesky:author/{}"),
        ("huggingface.co/datasets/{}", "huggingface:train/{}"),
    ]

    /// Returns the source of the photos of a page; `nil` for another page.
    static func source(ofPhotosAt address: String) -> String? {
        guard let web = WebAddress(address), ["http", "https"].contains(web.scheme) else { return nil }
        let host = web.host.hasPrefix("www.") ? String(web.host.dropFirst(4)) : web.host
        let path = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2)
        return pages.lazy.compactMap { rule in
            argument(of: [Substring(host)] + path, in: rule.page).map { rule.source.replacing("{}", with: $0) }
        }.first
    }

    private static func argument(of parts: [Substring], in page: String) -> String? {
        let pattern = page.dropLast(2).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= pattern.count, let start = pattern.last,
            zip(parts, pattern).prefix(pattern.count - 1).allSatisfy({ $1 == "*" || $0 == $1 }),
            parts[pattern.count - 1].hasPrefix(start)
        else { return nil }
        let rest = parts[(pattern.count - 1)...].joined(separator: "/").dropFirst(start.count)
        // A page below that of the service's object, such as a reply, is another one.
        let depth = page.hasPrefix("huggingface.co") ? 2 : 1
        guard !rest.isEmpty, rest.split(separator: "/").count == depth else { return nil }
        return String(validating: rest.utf8.percentDecoded, as: UTF8.self)
    }
}

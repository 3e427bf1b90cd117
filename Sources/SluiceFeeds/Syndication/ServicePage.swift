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
        ("metmuseum.org/art/collection/search/{}", "met:object/{}"), ("artic.edu/artworks/{}", "artic:artwork/{}"),
        ("clevelandart.org/art/{}", "cleveland:artwork/{}"), ("collections.vam.ac.uk/item/{}", "vam:object/{}"),
        ("europeana.eu/*/item/{}", "europeana:record/{}"), ("gbif.org/occurrence/{}", "gbif:occurrence/{}"),
        ("inaturalist.org/observations/{}", "inaturalist:observation/{}"),
        ("wellcomecollection.org/images/{}", "wellcome:image/{}"),
        ("huggingface.co/datasets/{}", "huggingface:train/{}"),
    ]

    /// The note that names a better source of a page's photos.
    static func advice(for source: String) -> String {
        "try the source '\(source)', which lists photos in their largest sizes and with licences"
    }

    /// Returns the source of the files of a page that states the service of its site, such as a page of a wiki.
    static func source(
        ofPage bytes: [UInt8], at address: WebAddress, token: CancellationToken
    ) throws(Failure) -> String? {
        // Few pages state any, and most are read once only.
        guard bytes.firstRange(of: "EditURI".utf8) != nil, source(ofPhotosAt: address.text) == nil else { return nil }
        let page = try WebPageReader.page(of: bytes, token: token)
        return BuiltInRecipes.all.first { recipe in
            guard let discovery = recipe.discovery, discovery.listing(ofPageAt: address.text) != nil else {
                return false
            }
            return discovery.base(in: page, at: address) != nil
        }.map { "\($0.name):\(address.text)" }
    }

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
        let depth = page.hasPrefix("huggingface.co") || page.hasPrefix("europeana.eu") ? 2 : 1
        guard !rest.isEmpty, rest.split(separator: "/").count == depth else { return nil }
        return String(validating: rest.utf8.percentDecoded, as: UTF8.self)
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// How to find a service at a site: a link in the site's pages, and other usual paths; and which listing shows a page.
struct SiteDiscovery: Sendable {
    static let members = ["rel", "ends", "below", "paths", "pages"]

    /// The relation of the link that leads to the service, such as `EditURI`.
    private let relation: String
    /// The end of the path of such a link; links of other programs may have the same relation.
    private let end: String
    /// The path to add to the link's address.
    private let below: String
    /// Further paths of the service at a site, to try in order.
    private let paths: [String]
    /// The beginnings of the titles of pages, such as `Category:`, by the listings that show these pages.
    private let pages: [(listing: String, beginnings: [String])]

    init(_ node: RecipeNode) {
        node.checkMembers(Self.members)
        relation = node.required("rel").lowercased()
        (end, below) = (node.text("ends") ?? "", node.text("below") ?? "")
        paths = node["paths"]?.children.compactMap(\.node.text) ?? []
        pages =
            node["pages"]?.children.map { name, node in
                (name, (node.json.elements ?? [node.json]).map { $0.text ?? "" })
            } ?? []
    }

    /// Whether the recipe has listings for pages of a site.
    var hasPages: Bool { !pages.isEmpty }

    /// Returns the service's address that a page at an address states; `nil` if it states none on its own host.
    func base(in page: WebPage, at address: WebAddress) -> String? {
        guard let link = page.relations[relation],
            let found = PagePhotos.resolve(link, PagePhotos.base(of: page, at: address)), found.host === address.host
        else { return nil }
        var base = String(found.text.prefix { $0 != "?" && $0 != "#" })
        let query = found.text.dropFirst(base.count)
        // Without rewriting, a WordPress site has its services in the query.
        guard base.hasSuffix(end), !query.contains("rest_route=") else { return nil }
        if address.scheme == "https", base.hasPrefix("http://") { base = "https" + base.dropFirst(4) }
        return below.isEmpty ? base : (base.hasSuffix("/") ? base : base + "/") + below
    }

    /// Returns the usual addresses of the service at the site of a page.
    func usualBases(at page: WebAddress) -> [String] { paths.compactMap { WebAddress($0, relativeTo: page)?.text } }

    /// Returns the listing that shows a page of a site, and its argument; `nil` if the address names no page.
    func listing(ofPageAt address: String) -> (name: String, argument: String)? {
        guard let title = Self.title(ofPageAt: address) else { return nil }
        for (listing, beginnings) in pages {
            for beginning in beginnings where title.lowercased().hasPrefix(beginning.lowercased()) {
                return (listing, String(title.dropFirst(beginning.count)))
            }
        }
        return nil
    }

    /// Returns the title of the page at an address: its parameter `title`, or the path after `wiki/` or `index.php/`.
    private static func title(ofPageAt address: String) -> String? {
        let body = address.prefix { $0 != "#" }
        let path = body.prefix { $0 != "?" }
        let inQuery = body.dropFirst(path.count + 1).split(separator: "&").first { $0.hasPrefix("title=") }
        let components = path.split(separator: "/").dropFirst(2)
        var parts = components[...]
        if let index = components.firstIndex(where: { ["wiki", "index.php"].contains($0) }) {
            parts = components[(index + 1)...]
        } else {
            parts = components.suffix(1)
        }
        let raw = inQuery.map { String($0.dropFirst(6)) } ?? parts.joined(separator: "/")
        let title = String(validating: raw.utf8.percentDecoded, as: UTF8.self)?.replacing("_", with: " ")
        return title?.isEmpty == false ? title : nil
    }
}

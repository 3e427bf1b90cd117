// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A `<meta>` element.
struct PageMeta {
    private let name: String
    private let content: String

    init(_ attributes: HTMLAttributes) {
        name = (attributes["property"] ?? attributes["name"] ?? attributes["http-equiv"] ?? "").lowercased()
        content = attributes["content"] ?? ""
    }

    /// Adds what the element states to a page.
    func apply(to page: inout WebPage) {
        guard !content.isEmpty else { return }
        switch name {
        case "robots", "sluice": page.robots += RobotsDirectives.names(in: content)
        case "og:image", "og:image:url", "twitter:image", "twitter:image:src":
            addPreview(to: &page)
        case "og:image:width": setPreview(in: &page) { $0.width = PageRegion.pixels(content) }
        case "og:image:height":
            setPreview(in: &page) { $0.height = PageRegion.pixels(content) }
        case "og:image:alt", "twitter:image:alt": setPreview(in: &page) { $0.caption = content }
        case "author", "article:author", "dc.creator":
            // Some pages give the address of a profile.
            if page.author == nil, !content.contains("://") { page.author = PageText.line(content) }
        case "article:published_time", "date", "dc.date": page.published = page.published ?? content
        case "og:type": page.type = page.type ?? content
        case "refresh": page.refresh = page.refresh ?? refreshAddress
        default: break
        }
    }

    /// The address in `5; url=next.html`; `nil` if the page only loads itself again.
    private var refreshAddress: String? {
        guard let separator = content.firstIndex(where: { $0 == ";" || $0 == "," }) else { return nil }
        var rest = String(content[content.index(after: separator)...]).trimmed
        if rest.lowercased().hasPrefix("url") { rest = String(rest.dropFirst(3)).trimmed }
        if rest.first == "=" { rest = String(rest.dropFirst()).trimmed }
        rest = rest.filter { $0 != "\"" && $0 != "'" }
        return rest.isEmpty ? nil : rest
    }

    private func addPreview(to page: inout WebPage) {
        guard page.previews.count < WebPage.maxEntries else { return }
        var picture = PagePicture(.preview)
        picture.sources = [PagePicture.Source(address: content)]
        page.previews.append(picture)
    }

    private func setPreview(in page: inout WebPage, _ change: (inout PagePicture) -> Void) {
        if let last = page.previews.indices.last { change(&page.previews[last]) }
    }
}

/// The rules for robots that pages and headers state.
enum RobotsDirectives {
    /// The rules that forbid taking a page's pictures.
    static let refusing = ["none", "noindex", "noimageindex", "noai", "noimageai"]
    /// The rules that forbid following a page's links.
    static let binding = ["none", "nofollow"]

    /// Returns the rules in a list, in lower case.
    static func names(in text: String) -> [String] {
        text.lowercased().split { $0 == "," || $0.isWhitespace }.prefix(64).map(String.init)
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// What a web page, a listing or a site map leads to: photos, further documents, and the next page.
struct WebDocument: Sendable {
    /// A document that is read after this one.
    struct Link: Sendable {
        let address: String
        /// Whether it counts as one level deeper; the site maps of an index do not.
        var isDeeper = true
    }

    var photos: [Photo] = []
    var links: [Link] = []
    var next: String?
    var notes: [String] = []
    var leftOut: [PictureEvidence.Reason: Int] = [:]
    /// The number of pages without pictures that a site map lists and that are not read.
    var pages = 0
    /// The addresses of pictures that are relative to an unknown one, that of a saved page.
    var relativeAddresses: [String] = []
    /// The address at another origin that the page loads in place of itself.
    var elsewhere: String?
    /// Why the page has no photos.
    var absence: Failure?
    /// The addresses of pages with the large versions of thumbnails, by the thumbnails' ids.
    var details: TextMap<String> = [:]
    /// Why the pictures are not taken: the rules of the page for robots.
    var refusal: String?
}

/// The options for reading web documents.
struct WebReading: Sendable {
    var minWidth = 0
    var minHeight = 0
    /// Whether the rules for robots in pages and headers apply.
    var respectsOptOut = true
    /// Whether the user named the page, so that its rules apply to uses of the pictures, and not to taking them.
    var isChosen = false
    var followsLinks = false
    /// Whether the pages behind thumbnails are read.
    var readsDetails = false
    /// Whether notes say what became of each picture.
    var explainsPictures = false
}

extension WebDocument {
    /// Reads a web page or a listing; `rules` are those of the reply's `X-Robots-Tag`.
    ///
    /// The address is `nil` for a saved page, whose links are not followed.
    init(page: WebPage, at address: WebAddress?, rules: [String] = [], _ reading: WebReading) {
        let robots = page.robots + rules
        let isFollowing = !reading.respectsOptOut || !RobotsDirectives.binding.contains { robots.contains($0) }
        if let problem = page.problem { notes.append("the rest of the page is not read: \(problem)") }
        let base = PagePhotos.base(of: page, at: address)
        if let listing = DirectoryListing(page, at: address) {
            photos = listing.photos
            if isFollowing, reading.followsLinks { links = listing.folders.map { Link(address: $0) } }
            return
        }
        if isFollowing, let address {
            next =
                page.next.flatMap { PagePhotos.resolve($0, base)?.text }
                ?? PageNumber.next(after: address, in: page, base)
                ?? page.refresh.flatMap { PagePhotos.resolve($0, base)?.text }
            links = page.frames.compactMap { PagePhotos.resolve($0, base) }.map {
                Link(address: $0.text, isDeeper: false)
            }
            if reading.followsLinks { links += Self.links(of: page, base) }
            if let other = page.refresh.flatMap({ PagePhotos.resolve($0, base) }), !other.hasOrigin(of: address) {
                elsewhere = other.text
            }
        } else if address != nil, reading.followsLinks || page.next != nil {
            notes.append(
                "the page's links are not followed: its rules for robots say nofollow, which \(CommandFlag.ignoreOptOut) ignores"
            )
        }
        let refusing = RobotsDirectives.refusing.filter(robots.contains).joined(separator: ", ")
        guard refusing.isEmpty || reading.isChosen || !reading.respectsOptOut else {
            refusal =
                "its rules for robots forbid taking its pictures (\(refusing)); \(CommandFlag.ignoreOptOut) takes them"
            return
        }
        let found = PagePhotos(
            page, at: address ?? page.canonical.flatMap { WebAddress($0) }, minWidth: reading.minWidth,
            minHeight: reading.minHeight, explains: reading.explainsPictures)
        notes += found.explanations
        (photos, leftOut, relativeAddresses) = (found.photos, found.leftOut, found.relativeAddresses)
        if !refusing.isEmpty, !photos.isEmpty {
            let terms = UsageTerms([UsageTerms.Statement(UsageTerms.Statement.page, refusing)])
            for index in photos.indices { photos[index].usage = terms.text }
            notes.append("the page's rules for robots (\(refusing)) are recorded: `export` leaves its photos out")
        }
        if let problem = found.problem { notes.append("the rest of the page is not read: \(problem)") }
        if reading.readsDetails, isFollowing, let address {
            details = DetailPages.addresses(in: found, of: page, at: address)
        }
    }

    /// The pages that a page links to.
    private static func links(of page: WebPage, _ base: WebAddress?) -> [Link] {
        var seen: TextSet = []
        return page.links.compactMap { link in
            guard !link.isNoFollow, !link.address.hasPrefix("#"), let address = PagePhotos.resolve(link.address, base),
                isPage(address.text), seen.insert(address.text)
            else { return nil }
            return Link(address: address.text)
        }
    }

    /// Whether an address may be that of a page, by its extension.
    static func isPage(_ address: String) -> Bool {
        let path = address.prefix { $0 != "?" }.split(separator: "/").dropFirst(2)
        guard let name = path.last, name.contains(".") else { return true }
        let ending = PictureName.pathExtension(of: name)
        return pageEndings.contains(ending) || ending.count > 5 || ending.contains { !$0.isLetter }
    }

    /// Whether an address names a page, as the first one of a folder or by its extension.
    static func hasPageName(_ address: String) -> Bool {
        let name = PictureName.lastComponent(of: address)
        return name.isEmpty || pageEndings.contains(PictureName.pathExtension(of: name))
    }

    private static let pageEndings: Set<Substring> = [
        "html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "jspx", "cgi", "cfm", "pl", "do",
    ]
}

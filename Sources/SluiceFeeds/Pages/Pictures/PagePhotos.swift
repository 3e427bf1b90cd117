// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Makes the photos of a page: resolves addresses, leaves out decoration, and joins the renditions of one picture.
struct PagePhotos {
    /// The photos in the order of the page.
    var photos: [Photo] { groups.map { photo(of: $0) } }
    /// The photos whose best address is not known to be a large version, and the addresses that they link to.
    var thumbnails: [(photo: Photo, link: WebAddress)] {
        groups.compactMap { group in
            guard !group.sources.contains(where: { $0.source.isFull || ($0.width ?? 0) > Self.maxThumbnail }),
                !group.pictures.contains(where: { ($0.width ?? 0) > Self.maxThumbnail || $0.place == .structured }),
                let link = group.pictures.lazy.compactMap({ $0.link.map { page.links[$0] } }).first, !link.isNoFollow,
                let address = Self.resolve(link.address, base)
            else { return nil }
            return (photo(of: group), address)
        }
    }
    /// The maximum width of a thumbnail.
    private static let maxThumbnail = 400
    /// The number of pictures that were left out, by reason.
    private(set) var leftOut: [PictureEvidence.Reason: Int] = [:]
    /// The addresses of pictures that are relative to an unknown one.
    private(set) var relativeAddresses: [String] = []
    /// The limit that ended the reading before the last picture.
    private(set) var problem: String?
    /// Notes on what became of each picture, with the evidence; none unless the caller wants explanations.
    private(set) var explanations: [String] = []
    /// The number of steps so far, which a test compares with the number of pictures.
    private(set) var steps = 0

    private struct Group {
        var sources: [PictureCandidate]
        var pictures: [PagePicture]
    }

    private let page: WebPage
    private let base: WebAddress?
    private let pageURL: String?
    private let evidence: PictureEvidence
    private var groups: [Group] = []
    /// The groups by the key of their best rendition, and by those of all renditions.
    private var byBest: TextMap<Int> = [:]
    private var byAny: TextMap<Int> = [:]
    private var seen: TextSet = []
    private var showsPictures = false
    /// Pictures that are too small, and lead to a page each.
    private var small: [(picture: PagePicture, candidates: [PictureCandidate])] = []
    private var smallPages: TextSet = []
    /// How often the page shows each picture.
    private var uses: TextMap<Int> = [:]
    private let explains: Bool
    /// The length of all addresses together; with a long base, a short page would have gigabytes of them.
    private var addressBytes = 0
    private static let maxAddressBytes = 8 << 20

    /// Reads the pictures of a page at an address; `nil` for a file, whose relative addresses need a `<base>`.
    init(_ page: WebPage, at address: WebAddress?, minWidth: Int, minHeight: Int, explains: Bool = false) {
        self.page = page
        self.explains = explains
        let base = Self.base(of: page, at: address)
        self.base = base
        pageURL = page.canonical.flatMap { Self.resolve($0, base)?.text } ?? address?.text
        evidence = PictureEvidence(minWidth: minWidth, minHeight: minHeight)
        var structured = StructuredData()
        for text in page.structuredTexts { structured.add(text) }
        var scripts = ScriptPictures()
        for text in page.scriptTexts { scripts.add(text) }
        var pictures: [(PagePicture, [PictureCandidate])] = []
        // The thumbnails that a page shows of its gallery are renditions of the gallery's pictures.
        let gallery = scripts.pictures.filter(\.isOfGallery)
        let others = scripts.pictures.filter { !$0.isOfGallery }
        for picture in gallery + page.pictures + page.previews + structured.pictures + others {
            guard addressBytes <= Self.maxAddressBytes else {
                problem = "its addresses have more than \(Self.maxAddressBytes >> 20) MiB"
                break
            }
            pictures.append((picture, resolved(picture)))
        }
        pictures = joined(pictures)
        for (picture, candidates) in pictures where picture.place == .image {
            if let key = candidates.first?.rendition.key { uses[key, default: 0] += 1 }
        }
        for (picture, candidates) in pictures { add(picture, candidates) }
        addIndex()
    }

    /// The minimum number of thumbnails of an index, and of the pixels of their sides.
    private static let (minIndex, minSide) = (3, 50)

    /// Adds the small pictures that lead to pages of their own if there are far more of them than photos: an index of
    /// old thumbnails.
    ///
    /// A page that names a picture for previews shows small ones of other pages.
    private mutating func addIndex() {
        let isIndex =
            small.count >= Self.minIndex && small.count > 3 * groups.count && page.type == nil
            && page.previews.isEmpty && page.structuredTexts.isEmpty
        for (picture, candidates) in small { add(picture, candidates, isOfIndex: isIndex) }
    }

    /// The page of the site that a small picture leads to; `nil` if it is no thumbnail of a photo.
    private func indexed(_ picture: PagePicture) -> String? {
        guard picture.place == .image, picture.region == .body, let link = picture.link, let base,
            [picture.width, picture.height].allSatisfy({ $0.map { $0 >= Self.minSide } ?? false }),
            let target = Self.resolve(page.links[link].address, base), base.hasOrigin(of: target)
        else { return nil }
        return target.text
    }

    /// The base of the page's addresses.
    static func base(of page: WebPage, at address: WebAddress?) -> WebAddress? {
        // Every link is resolved against it, so a long one would be expensive.
        guard let own = page.base, own.utf8.count <= 2 << 10 else { return address }
        return WebAddress(own, relativeTo: address) ?? address
    }

    /// Resolves an address; `nil` if it is not one of the web.
    static func resolve(_ text: String, _ base: WebAddress?) -> WebAddress? {
        guard text.utf8.count <= Photo.maxAddressLength, let address = WebAddress(text, relativeTo: base),
            ["http", "https"].contains(address.scheme)
        else { return nil }
        return address
    }

    /// Returns the addresses of a picture, each once.
    private mutating func resolved(_ picture: PagePicture) -> [PictureCandidate] {
        var addresses: TextSet = []
        steps += 1 + picture.sources.count
        // Of two entries with one address, the one that says more counts.
        let described = picture.sources.filter { $0.isFull || $0.width != nil }
        let others = picture.sources.filter { !$0.isFull && $0.width == nil }
        let candidates = (described + others).compactMap { candidate(of: $0, &addresses) }
        return candidates
            + candidates.compactMap { stated in
                guard let original = stated.rendition.original else { return nil }
                var source = PagePicture.Source(address: original)
                source.isDerived = true
                return candidate(of: source, &addresses)
            }
    }

    /// Returns the candidate of an address that is not known yet.
    private mutating func candidate(of source: PagePicture.Source, _ known: inout TextSet) -> PictureCandidate? {
        guard let address = Self.resolve(source.address, base), known.insert(address.text) else { return nil }
        addressBytes += address.text.utf8.count
        return PictureCandidate(source: source, address: address, rendition: PictureAddress(address.text))
    }

    /// Gives the renditions of each picture one key, by the patterns that the page shows.
    private func joined(
        _ pictures: [(PagePicture, [PictureCandidate])]
    ) -> [(PagePicture, [PictureCandidate])] {
        var patterns = RenditionPatterns()
        for (_, candidates) in pictures { patterns.add(candidates.map(\.rendition.key)) }
        return pictures.map { picture, candidates in
            let joined = candidates.map { candidate in
                var candidate = candidate
                candidate.rendition.apply(patterns)
                return candidate
            }
            return (picture, joined)
        }
    }

    /// Adds a picture; the small ones that may be those of an index are added when all others are known.
    private mutating func add(
        _ picture: PagePicture, _ candidates: [PictureCandidate], isOfIndex: Bool? = nil
    ) {
        guard !candidates.isEmpty else {
            let relative = picture.sources.first {
                base == nil && WebAddress($0.address) == nil && !$0.address.contains(":")
            }
            if let relative { relativeAddresses.append(relative.address) }
            let isInline = picture.sources.contains { $0.address.prefix(5).lowercased() == "data:" }
            if isInline { leave(picture, .inline) }
            return
        }
        let pictures = candidates.filter { !PictureAddress.isVector($0.address.text) }
        // The data of scripts describe pictures that the page shows, and those of other pages.
        if let known = pictures.compactMap({ byAny[$0.rendition.key] }).first,
            picture.place == .script || groups[known].pictures[0].isOfGallery
        {
            if groups[known].sources.count < SrcSet.maxCandidates { groups[known].sources += pictures }
            if picture.place != .script { groups[known].pictures.append(picture) }
            explain(candidates, "another rendition", of: known)
            return
        }
        var subject = PictureEvidence.Subject(picture, pictures)
        subject.isPageWithPictures = showsPictures
        subject.uses = candidates.first.flatMap { uses[$0.rendition.key] } ?? 0
        subject.leadsHome = leadsHome(picture)
        subject.hasOwnPage = hasOwnPage(picture, candidates)
        subject.isOfIndex = isOfIndex == true
        let verdict = evidence.verdict(on: subject)
        if verdict.reason == .small, isOfIndex == nil, let page = indexed(picture), smallPages.insert(page) {
            small.append((picture, candidates))
            return
        }
        if let reason = verdict.reason {
            if picture.place != .script { leave(picture, reason) }
            explain(candidates, "left out, \(reason.text(1))", verdict.entries)
            return
        }
        if [.image, .link, .background, .attribute].contains(picture.place) { showsPictures = true }
        let known = join(picture, Self.ordered(pictures))
        explain(candidates, known == nil ? "photo" : "another rendition", of: known, verdict.entries)
    }

    /// Whether the picture is in a link to the first page of the site.
    private func leadsHome(_ picture: PagePicture) -> Bool {
        guard let link = picture.link, let base, let target = Self.resolve(page.links[link].address, base) else {
            return false
        }
        // Many sites have the language in a folder.
        return base.hasOrigin(of: target) && !target.text.contains("?")
            && (target.pathComponents.isEmpty
                || target.pathComponents.count == 1 && target.pathComponents[0].count == 2)
    }

    /// Whether the picture is in a link to a page of the site with the file's name, such as `File:lake.jpg` of a wiki.
    private func hasOwnPage(_ picture: PagePicture, _ candidates: [PictureCandidate]) -> Bool {
        guard let link = picture.link, let base, let target = Self.resolve(page.links[link].address, base),
            base.hasOrigin(of: target), let key = candidates.first?.rendition.key
        else { return false }
        return PictureName.lastComponent(of: target.text).contains(PictureName.lastComponent(of: key))
    }

    private mutating func explain(
        _ candidates: [PictureCandidate], _ result: String, of group: Int? = nil,
        _ entries: [PictureEvidence.Entry] = []
    ) {
        guard explains else { return }
        let other = group.map { ", of \(groups[$0].sources[0].address.text)" } ?? ""
        let weights = entries.map { "\($0.meaning) \($0.weight > 0 ? "+" : "")\($0.weight)" }.joined(separator: ", ")
        explanations.append(
            "\(result): \(candidates[0].address.text)\(other)\(weights.isEmpty ? "" : " (\(weights))")")
    }

    private mutating func leave(_ picture: PagePicture, _ reason: PictureEvidence.Reason) {
        // A page may repeat one icon many times, and noscript repeats the pictures before it.
        guard seen.insert(picture.sources.first?.address ?? "") else { return }
        leftOut[reason, default: 0] += 1
    }

    /// Adds a picture to the group of the same picture, which it returns, or makes a new group.
    private mutating func join(_ picture: PagePicture, _ sources: [PictureCandidate]) -> Int? {
        let best = sources[0].rendition.key
        var index = byBest[best]
        // A single address may be a rendition that another element offers beside others.
        if index == nil, sources.count == 1 { index = byAny[best] }
        if index == nil {
            let known = sources.compactMap { byBest[$0.rendition.key] }
            index = known.first { groups[$0].sources.count == 1 }
        }
        let group = index ?? groups.count
        if index == nil { groups.append(Group(sources: [], pictures: [])) }
        groups[group].pictures.append(picture)
        // Many elements may show one picture.
        if groups[group].sources.count < SrcSet.maxCandidates { groups[group].sources += sources }
        byBest[best] = byBest[best] ?? group
        for source in sources where byAny[source.rendition.key] == nil { byAny[source.rendition.key] = group }
        return index
    }

    /// Returns the renditions of one picture, best first.
    private static func ordered(_ sources: [PictureCandidate]) -> [PictureCandidate] {
        // An address without a size is the original of those with one.
        let reduced = TextSet(sources.filter(\.rendition.isReduced).map(\.rendition.key))
        let whole = TextSet(sources.filter { !$0.rendition.isReduced }.map(\.rendition.key))
        func level(_ source: PictureCandidate) -> Int {
            if source.rendition.isReduced {
                return source.source.isFull && source.width == nil && !whole.contains(source.rendition.key) ? 2 : 0
            }
            return source.source.isFull || source.source.isDerived ? 2 : reduced.contains(source.rendition.key) ? 1 : 0
        }
        // Where widths are unknown, larger viewports have larger files, and densities compare those of one viewport.
        let isMeasured = 2 * sources.count { $0.width != nil } > sources.count
        func rank(_ source: PictureCandidate) -> (Int, Int, Int, Int, Double, Int) {
            (
                level(source), isMeasured ? 0 : source.source.viewport, source.width ?? 0, source.rendition.scale,
                source.source.density ?? 1, source.source.isAlternative ? 0 : 1
            )
        }
        return sources.map { ($0, rank($0)) }.enumerated().sorted {
            $0.element.1 == $1.element.1 ? $0.offset < $1.offset : $0.element.1 > $1.element.1
        }.map(\.element.0)
    }

    private func photo(of group: Group) -> Photo {
        var names: TextSet = []
        var addresses: TextSet = []
        var variants: [Variant] = []
        for source in Self.ordered(group.sources) where addresses.insert(source.address.text) {
            var name = Variant.original
            if !variants.isEmpty { name = source.width.map { "w\($0)" } ?? "image-\(variants.count + 1)" }
            if !names.insert(name) {
                name = "image-\(variants.count + 1)"
                names.insert(name)
            }
            variants.append(Variant(name: name, url: source.address.text, width: source.width))
        }
        var photo = Photo(id: variants[0].url, variants: variants)
        describe(&photo, group.pictures)
        return photo
    }

    private func describe(_ photo: inout Photo, _ pictures: [PagePicture]) {
        let figures = pictures.lazy.compactMap { $0.figure.map { page.figures[$0] } }
        photo.caption = (figures.compactMap(\.caption).first ?? pictures.lazy.compactMap(\.caption).first).flatMap(
            PageText.line)
        photo.author = (pictures.lazy.compactMap(\.author).first ?? page.author).flatMap(PageText.line)
        photo.attribution = (figures.compactMap(\.credit).first ?? pictures.lazy.compactMap(\.credit).first)
            .flatMap(PageText.line)
        let license = figures.compactMap(\.license).first ?? pictures.lazy.compactMap(\.license).first ?? page.license
        photo.licenseURL = license.flatMap { Self.resolve($0, base)?.text }
        photo.normalizeLicense()
        photo.pageURL = pageURL
        photo.date = page.published.flatMap(PublishedDate.seconds)
        guard let exact = pictures.first(where: { $0.isExactSize && $0.width != nil && $0.height != nil }) else {
            return
        }
        (photo.width, photo.height) = (exact.width, exact.height)
    }
}

extension PagePhotos {
    /// Says how many pictures were left out; `nil` if none was.
    static func note(_ leftOut: [PictureEvidence.Reason: Int]) -> String? {
        let parts = PictureEvidence.Reason.allCases.compactMap { reason in
            leftOut[reason].map(reason.text)
        }
        return parts.isEmpty ? nil : "left out " + parts.joined(separator: ", ")
    }
}

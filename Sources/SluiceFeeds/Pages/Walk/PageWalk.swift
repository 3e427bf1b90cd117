// SPDX-License-Identifier: MIT

internal import SluiceBrowser
internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Walks web pages, listings and site maps of one origin, depth first: the linked documents, then the next page.
///
/// A cursor has one line for each level from the root: the index among the links of the level above, the depth, and the
/// address. A walk that is opened again loads only the documents along these lines.
final class PageWalk: Sendable {
    /// The maximum number of documents.
    static let maxDocuments = 10_000
    /// The maximum nesting of indexes of site maps.
    private static let maxLevels = 64
    private static let prefix = "pages\n"

    /// A document that has been received.
    struct Reply: Sendable {
        var kind: ReplyKind
        var bytes: [UInt8]
        /// The address after redirects; `nil` for a file.
        var address: WebAddress?
        var charset: String?
        /// The rules of `X-Robots-Tag`.
        var rules: [String] = []
        /// The response itself; `nil` for a file.
        var response: Response?
    }

    struct Level: Sendable {
        var index = 0
        var depth = 0
        var address: String
    }

    struct State {
        /// The documents along the current path, by their addresses.
        var documents: TextMap<WebDocument> = [:]
        var visited: TextSet = []
        var photos: TextSet = []
        var leftOut: [PictureEvidence.Reason: Int] = [:]
        var withoutPhotos = 0
        var origin: WebAddress?
        var count = 0
        /// The page in the browser, once it is open.
        var built: BrowserPage?
        /// Its rules of `X-Robots-Tag`.
        var rules: [String] = []
    }

    private let pages: SourcePages
    let transfers: Transfers
    let options: FeedOptions
    let root: String
    /// The path of a saved page; `nil` for an address.
    private let file: String?
    let state = Locked(State())

    init(root: String, file: String?, pages: SourcePages, transfers: Transfers, options: FeedOptions) {
        (self.root, self.file, self.pages) = (root, file, pages)
        (self.transfers, self.options) = (transfers, options)
    }

    /// Whether a cursor is one of a walk.
    static func owns(_ cursor: Cursor) -> Bool { cursor.rawValue.hasPrefix(prefix) }

    /// Returns the photos of the document at a cursor, or else of the next document that has photos.
    ///
    /// `first` is the root, which the caller has loaded to recognise it.
    func page(
        _ number: Int, at cursor: Cursor?, first: Reply?, token: CancellationToken
    ) async throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        page.mayBeEmpty = true
        var path: [Level]? = try await path(at: cursor, first: first, token: token)
        while let current = path, page.photos.isEmpty {
            try token.check()
            let count = state.withLock { $0.count }
            guard count < Self.maxDocuments else {
                page.notes.append("stopped after \(count) pages")
                path = nil
                break
            }
            path = try await read(current, into: &page, token: token)
            if let path { keepDocuments(along: path) }
        }
        page.next = path.map(Self.cursor)
        if path == nil { try finish(&page, isFirst: cursor == nil) }
        return page
    }

    /// Adds the photos of the document at the end of a path, and returns the path of the document after it.
    private func read(_ path: [Level], into page: inout Page, token: CancellationToken) async throws(Failure)
        -> [Level]?
    {
        guard let level = path.last else { return nil }
        do throws(Failure) {
            var document = try await document(at: level, token: token)
            let photos = try await detailed(&document, token: token)
            let new = state.withLock { state in
                for (reason, count) in document.leftOut { state.leftOut[reason, default: 0] += count }
                state.withoutPhotos += document.pages
                return photos.filter { state.photos.insert($0.id) }
            }
            page.photos += new
            page.notes += document.notes
            if let refusal = document.refusal { page.notes.append("\(level.address): \(refusal)") }
            if let child = child(0, of: document, below: level), path.count < Self.maxLevels { return path + [child] }
        } catch {
            // The root, and the pages that continue it, fail the feed.
            guard path.count > 1, error.cause != .cancelled else { throw error }
            page.notes.append("cannot read \(level.address): \(error)")
            // It is not requested again to find what follows it.
            state.withLock { state in
                state.documents[level.address] = WebDocument()
                state.visited.insert(level.address)
            }
        }
        return try await self.path(after: path, token: token)
    }

    /// Returns the path after a document and all below it: its next page, or else the next link of the level above.
    private func path(after path: [Level], token: CancellationToken) async throws(Failure) -> [Level]? {
        var path = path
        while let level = path.popLast() {
            if let next = try? await document(at: level, token: token).next, isNew(next) {
                return path + [Level(index: level.index, depth: level.depth, address: next)]
            }
            guard let parent = path.last else { return nil }
            let document = try await document(at: parent, token: token)
            if let child = child(level.index + 1, of: document, below: parent) { return path + [child] }
        }
        return nil
    }

    /// Returns the first link from an index on that has not been visited and has the root's origin.
    private func child(_ first: Int, of document: WebDocument, below level: Level) -> Level? {
        guard first < document.links.count else { return nil }
        for index in first..<document.links.count {
            let link = document.links[index]
            let depth = level.depth + (link.isDeeper ? 1 : 0)
            guard depth <= options.depth, isNew(link.address) else { continue }
            return Level(index: index, depth: depth, address: link.address)
        }
        return nil
    }

    private func isNew(_ address: String) -> Bool {
        let web = WebAddress(address)
        return state.withLock { state in
            guard let web, let origin = state.origin, web.hasOrigin(of: origin) else { return false }
            return !state.visited.contains(address)
        }
    }
}

// MARK: Documents

extension PageWalk {
    /// Returns the document of a level, which is loaded at most once while it is on the path.
    private func document(at level: Level, token: CancellationToken) async throws(Failure) -> WebDocument {
        if let known = state.withLock({ $0.documents[level.address] }) { return known }
        let reply = try await reply(at: level.address, token: token)
        return try keep(try document(of: reply, at: level, token: token), at: level, from: reply.address)
    }

    private func keep(_ document: WebDocument, at level: Level, from address: WebAddress?) throws(Failure)
        -> WebDocument
    {
        let isForeign = state.withLock { state in
            state.count += 1
            state.visited.insert(level.address)
            if let address {
                state.visited.insert(address.text)
                if let origin = state.origin { return !address.hasOrigin(of: origin) }
                state.origin = address
            }
            state.documents[level.address] = document
            return false
        }
        if isForeign { throw Failure(.crossOriginNext, address?.text ?? "") }
        return document
    }

    /// Loads a document; those after the root are requested only if `robots.txt` allows them.
    private func reply(at address: String, token: CancellationToken) async throws(Failure) -> Reply {
        var request = Request(address, limit: SiteMap.limit, timeout: .seconds(60))
        request.acceptsCompression = true
        request.respectsRobotsTxt = options.respectsRobotsTxt
        return try Reply(try await pages.fetch(request, token: token), transfers, token: token)
    }

    func document(of reply: Reply, at level: Level, token: CancellationToken) throws(Failure) -> WebDocument {
        switch reply.kind {
        case .webPage:
            var reading = WebReading()
            (reading.minWidth, reading.minHeight) = (options.iconSize.width, options.iconSize.height)
            reading.respectsOptOut = options.respectsOptOut
            reading.isChosen = level.address === root
            reading.followsLinks = level.depth < options.depth
            reading.readsDetails = options.readsDetails
            reading.explainsPictures = options.explainsPictures
            let page = try WebPageReader.page(of: reply.bytes, charset: reply.charset, token: token)
            let diagnosis = PageDiagnosis(
                page: page, bytes: reply.bytes, requested: level.address, address: reply.address)
            if let failure = diagnosis.replacement { throw failure }
            var document = WebDocument(page: page, at: reply.address, rules: reply.rules, reading)
            if document.photos.isEmpty { document.absence = diagnosis.absence }
            for index in document.photos.indices { document.photos[index].iconSide = FeedOptions.iconSide }
            return document
        case .siteMap:
            return try SiteMap.document(reply.bytes, followsLinks: level.depth < options.depth, token: token)
        case .robots: return SiteMap.document(robots: reply.bytes, at: reply.address)
        case .photo:
            var document = WebDocument()
            let address = reply.address?.text ?? level.address
            document.photos = [Photo(id: address, url: address)]
            return document
        // Links may lead to any kind of file.
        case .syndication, .oai, .list, .iiif, .jsonFeed, .json, .foreign: return WebDocument()
        }
    }

    /// Throws an error if the walk has found no photo; otherwise adds the note on pictures that were left out.
    func finish(_ page: inout Page, isFirst: Bool) throws(Failure) {
        let (leftOut, withoutPhotos, document, isEmpty) = state.withLock { state in
            (state.leftOut, state.withoutPhotos, state.documents[root], state.photos.isEmpty)
        }
        let note = PagePhotos.note(leftOut)
        let relative = document?.relativeAddresses ?? []
        if let folder = relative.first.flatMap(savedFolder) {
            let count = relative.count == 1 ? "1 picture" : "\(relative.count) pictures"
            let text =
                "\(count) of the saved page may be in the folder beside it; name the folder as SOURCE: '\(folder)'"
            if isEmpty { throw Failure(.feedParse, text) }
            page.notes.append(text)
        }
        guard isFirst, isEmpty else {
            if let note { page.notes.append(note) }
            return
        }
        let suffix = note.map { " (\($0))" } ?? ""
        if withoutPhotos > 0 {
            let pages = withoutPhotos == 1 ? "1 page" : "\(withoutPhotos) pages"
            throw Failure(.feedParse, "the site map lists \(pages) and no pictures; a depth of 1 reads the pages")
        }
        if !relative.isEmpty {
            throw Failure(
                .feedParse,
                "the addresses of the saved page are relative; add <base href=\"https://...\"> to it, or name its address or the folder with its pictures"
            )
        }
        if let other = document?.elsewhere {
            throw Failure(.feedParse, "the page leads to \(other), which is at another origin; name that address")
        }
        var failure = document?.absence ?? PageDiagnosis.empty
        failure.detail += suffix
        throw failure
    }
}

// MARK: Thumbnails

extension PageWalk {
    /// Returns the photos of a document, with those of the pages behind its thumbnails in their place.
    func detailed(_ document: inout WebDocument, token: CancellationToken) async throws(Failure) -> [Photo] {
        var photos: [Photo] = []
        let others = TextSet(document.photos.map(\.id))
        for photo in document.photos {
            guard let address = document.details[photo.id] else {
                photos.append(photo)
                continue
            }
            do throws(Failure) {
                let level = Level(address: address)
                let reply = try await reply(at: address, token: token)
                let isOwn = state.withLock { state in
                    state.origin.flatMap { reply.address?.hasOrigin(of: $0) } ?? false
                }
                let page = isOwn ? try self.document(of: reply, at: level, token: token) : WebDocument()
                if let refusal = page.refusal { document.notes.append("\(address): \(refusal)") }
                photos.append(DetailPages.photo(behind: photo, in: page, besides: others) ?? photo)
            } catch {
                guard error.cause != .cancelled else { throw error }
                photos.append(photo)
            }
        }
        return photos
    }
}

// MARK: Saved pages

extension PageWalk {
    /// Returns the folder in which a browser has saved a picture, such as `lake_files` beside `lake.html`; `nil` if
    /// there is none.
    private func savedFolder(of picture: String) -> String? {
        // Decoded first, because an encoded slash or point may lead to any folder of this machine.
        guard let file, let path = String(validating: picture.utf8.percentDecoded, as: UTF8.self), !path.hasPrefix("/")
        else { return nil }
        let components = path.split(separator: "/").drop { $0 == "." }
        guard components.count > 1, let name = components.first, name != "..", !name.utf8.contains(0) else {
            return nil
        }
        let parent = file.lastIndex(of: "/").map { file[...$0] } ?? ""
        let folder = "\(parent)\(name)"
        return (try? Folder(folder)) == nil ? nil : folder
    }
}

// MARK: Cursors

extension PageWalk {
    private static func cursor(_ path: [Level]) -> Cursor {
        Cursor(rawValue: prefix + path.map { "\($0.index) \($0.depth) \($0.address)" }.joined(separator: "\n"))
    }

    private func path(at cursor: Cursor?, first: Reply?, token: CancellationToken) async throws(Failure) -> [Level] {
        guard let cursor else {
            let level = Level(address: root)
            if let first {
                _ = try keep(try document(of: first, at: level, token: token), at: level, from: first.address)
            }
            return [level]
        }
        let path = cursor.rawValue.dropFirst(Self.prefix.count).split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            let numbers = parts.prefix(2).map { Int($0)?.within(Quantity.range) ?? 0 }
            return Level(
                index: numbers.first ?? 0, depth: numbers.count > 1 ? numbers[1] : 0,
                address: parts.count > 2 ? String(parts[2]) : root)
        }
        // A walk that is opened again takes the origin from the path, if that is one of SOURCE's.
        if let last = path.last { try await pages.check(last.address, token: token) }
        let origin = path.last.flatMap { WebAddress($0.address) }
        state.withLock { state in
            guard state.origin == nil else { return }
            state.origin = origin
            state.visited.formUnion(TextSet(path.dropLast().map(\.address)))
        }
        return path
    }

    /// Forgets the documents that are needed no more.
    private func keepDocuments(along path: [Level]) {
        state.withLock { state in
            let kept = path.compactMap { level in state.documents[level.address].map { (level.address, $0) } }
            state.documents = TextMap(kept)
        }
    }
}

extension PageWalk.Reply {
    init(_ response: Response, _ transfers: Transfers, token: CancellationToken) throws(Failure) {
        bytes = try SiteMap.expanded(response.body, token: token)
        address = WebAddress(response.url)
        let type = response.headers["content-type"]
        kind = ReplyKind(type: type, name: address?.pathComponents.last ?? "", bytes: bytes)
        charset = type.flatMap(Self.charset)
        rules = transfers.robotsRules(of: response)
        self.response = response
    }

    /// Returns the encoding in a content type, such as `text/html; charset=utf-8`.
    private static func charset(of type: String) -> String? {
        for parameter in type.split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            if pair.count == 2, pair[0].lowercased() == "charset" { return pair[1].filter { $0 != "\"" && $0 != "'" } }
        }
        return nil
    }
}

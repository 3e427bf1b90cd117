// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// What an address or a saved file leads to: a feed, a web page, a site map, a list, IIIF, or a single photo.
struct SyndicationFeed: Feed {
    /// The name of a picture's best variant.
    static let variant = Variant.original
    /// The maximum size of a document in bytes.
    private static let limit = 16 << 20

    /// The location of the feed.
    enum Location: Sendable, Hashable {
        case address(String)
        case file(String)
    }

    let location: Location
    let transfers: Transfers
    let options: FeedOptions
    private let pages: SourcePages
    private let walk: PageWalk
    private let list: RemoteList
    /// The feed of a IIIF resource, which keeps the collections that it has read.
    private let iiif = Locked<IIIFFeed?>(nil)

    init(location: Location, transfers: Transfers, options: FeedOptions) {
        (self.location, self.transfers, self.options) = (location, transfers, options)
        let root = if case .address(let text) = location { text } else { "" }
        let file: String? = if case .file(let path) = location { path } else { nil }
        pages = SourcePages(of: root, through: transfers)
        walk = PageWalk(root: root, file: file, pages: pages, transfers: transfers, options: options)
        list = RemoteList(address: root, transfers: transfers, options: options)
    }

    /// A list is finite, however long it is.
    var maxPages: Int? { list.isOpen ? nil : 10_000 }

    var name: String {
        if case .address(let text) = location { WebAddress(text)?.host ?? "feed" } else { "feed" }
    }
    let defaultVariant = SyndicationFeed.variant

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        if let cursor, PageWalk.ownsBuilt(cursor) {
            let reply = walk.isBuilding ? nil : try await self.reply(at: nil, token: token)
            return try await walk.builtPage(number, at: cursor, first: reply, token: token)
        }
        if let cursor, PageWalk.owns(cursor) {
            return try await walk.page(number, at: cursor, first: nil, token: token)
        }
        if let cursor, RemoteList.owns(cursor) { return try await list.page(number, at: cursor, token: token) }
        if let cursor, let inner = cursor.removing(Self.manifests) {
            return try await manifest(number, at: inner, token: token)
        }
        if let cursor, let inner = cursor.removing(Self.records), case .address(let root) = location {
            let feed = OAIFeed(root: root, transfers: transfers)
            return Self.resumed(try await feed.page(number, at: inner, token: token))
        }
        if case .address(let text) = location, cursor == nil, RemoteList.isNamed(by: text) {
            return try await list.page(number, at: nil, token: token)
        }
        let reply: PageWalk.Reply
        do throws(Failure) { reply = try await self.reply(at: cursor, token: token) } catch {
            if case .address(let text) = location, error.cause == .emptyBody {
                throw RemoteList.empty(cursor?.rawValue ?? text)
            }
            // Only lists are larger than that.
            guard error.cause == .tooLarge, cursor == nil, case .address = location else { throw error }
            return try await list.page(number, at: nil, token: token)
        }
        switch (reply.kind, cursor) {
        case (.photo, nil):
            if case .address(let text) = location { return Self.page(ofPhotoAt: text) }
        case (.webPage, nil), (.siteMap, nil), (.robots, nil):
            return try await webPage(number, reply, token: token)
        case (.list, nil): return try await list.page(number, at: nil, received: reply.bytes, token: token)
        case (.iiif, nil): return try await manifest(number, at: nil, token: token)
        case (.oai, _):
            let records = try OAIPage(reply.bytes, token: token)
            let page = try await OAIFeed.page(number, of: records, through: transfers, token: token)
            return Self.resumed(page, isSaved: reply.address == nil)
        case (.jsonFeed, _):
            let document = try JSONFeedPage(reply.bytes, from: reply.address)
            var page = try document.page(number, token: token)
            page.next = next(document.next, at: reply.address)
            return page
        case (.json, _): return try recordsPage(number, reply)
        case (.foreign(let failure), _): throw failure
        default: break
        }
        let document = try SyndicationPage(reply.bytes, from: reply.address, token: token)
        var page = try document.page(number, token: token)
        page.next = next(document.next, at: reply.address)
        return page
    }

    /// Returns the photos of a service's reply without a recipe.
    private func recordsPage(_ number: Int, _ reply: PageWalk.Reply) throws(Failure) -> Page {
        let json = try? JSON(parsing: Array(XMLCleaning.content(of: reply.bytes[...])))
        let photos = json.map { JSONRecords.photos(in: $0, options: options.list) } ?? []
        guard !photos.isEmpty else {
            throw Failure(.feedParse, "this is JSON of a service without a recipe", hint: .writeRecipe)
        }
        var page = Page(number: number, photos: photos)
        page.notes = ["only this reply is read; for further pages, write a recipe (`sluice feeds`)"]
        return page
    }

    /// Returns the first page of a web page, with a note if a service lists better files of its photos.
    private func webPage(
        _ number: Int, _ reply: PageWalk.Reply, token: CancellationToken
    ) async throws(Failure) -> Page {
        var page =
            options.browser != nil && reply.kind == .webPage && reply.address != nil
            ? try await walk.builtPage(number, at: nil, first: reply, token: token)
            : try await walk.page(number, at: nil, first: reply, token: token)
        if let address = reply.address,
            let source = try ServicePage.source(ofPage: reply.bytes, at: address, token: token)
        {
            page.notes.append(ServicePage.advice(for: source))
        }
        return page
    }

    /// The prefix of cursors of OAI-PMH.
    private static let records = "oai\n"

    /// Returns a page of records with a cursor of this feed; that of a saved reply has none.
    private static func resumed(_ page: Page, isSaved: Bool = false) -> Page {
        var page = page
        page.next = isSaved ? nil : page.next.map { Cursor(rawValue: records + $0.rawValue) }
        return page
    }

    /// The prefix of cursors of IIIF.
    private static let manifests = "iiif\n"

    /// Returns a page of the IIIF manifest or collection at the location.
    private func manifest(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let feed: IIIFFeed
        if let open = iiif.withLock(\.self) {
            feed = open
        } else {
            switch location {
            case .address(let root): feed = IIIFFeed(root: root, transfers: transfers)
            case .file(let path): feed = try IIIFFeed(saved: Self.read(path), at: path, transfers: transfers)
            }
            iiif.withLock { $0 = feed }
        }
        var page = try await feed.page(number, at: cursor, token: token)
        page.next = page.next.map { Cursor(rawValue: Self.manifests + $0.rawValue) }
        return page
    }

    /// The only page of an address that is a photo itself.
    private static func page(ofPhotoAt address: String) -> Page {
        let variant = Variant(name: variant, url: address)
        return Page(number: 1, photos: [Photo(id: variant.url, variants: [variant])], total: 1)
    }

    private func reply(at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> PageWalk.Reply {
        switch location {
        case .file(let path):
            let bytes = try SiteMap.expanded(try Self.read(path), token: token)
            let kind = ReplyKind(type: nil, name: path, bytes: bytes)
            return PageWalk.Reply(kind: kind, bytes: bytes)
        case .address(let first):
            var request = Request(cursor?.rawValue ?? first, limit: Self.limit, timeout: .seconds(60))
            request.acceptsCompression = true
            let response = try await pages.fetch(request, token: token)
            let reply = try PageWalk.Reply(response, transfers, token: token)
            // A feed and a site map are made for programs; a page has to be allowed.
            if reply.kind == .webPage, options.respectsRobotsTxt, let address = reply.address {
                do throws(Failure) { try await transfers.checkRobots(of: address) } catch {
                    var failure = error
                    if failure.cause == .optedOut { failure.hint = .ignoreRobots }
                    throw failure
                }
            }
            return reply
        }
    }

    /// Returns the next page's cursor; a page at another origin is not requested.
    private func next(_ next: String?, at address: WebAddress?) -> Cursor? {
        // A saved file has no origin to compare with, so its links are not followed.
        guard let address, let next = next.flatMap({ WebAddress($0) }) else { return nil }
        return next.hasOrigin(of: address) ? Cursor(rawValue: next.text) : .foreign(next.text)
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        do throws(FileError) {
            let bytes = try OpenFile.reading(path, followsLink: true).read(at: 0, count: limit + 1)
            if bytes.count <= limit { return bytes }
        } catch {
            throw Failure(.disk, "\(error)", finalURL: path, scope: .run)
        }
        throw Failure(.tooLarge, "the feed is larger than \(limit) bytes")
    }
}

extension Cursor {
    /// The cursor without a prefix; `nil` if it has another one.
    fileprivate func removing(_ prefix: String) -> Cursor? {
        rawValue.hasPrefix(prefix) ? Cursor(rawValue: String(rawValue.dropFirst(prefix.count))) : nil
    }
}

/// The address of a feed, a page or a IIIF manifest, or the path of a saved one.
struct SyndicationSource: SingleFeedKind {
    private let location: SyndicationFeed.Location

    init?(_ text: String) throws(SourceError) {
        if let address = WebAddress(text), ["http", "https"].contains(address.scheme) {
            location = .address(text)
        } else if Self.isFeedFile(text) {
            location = .file(text)
        } else {
            return nil
        }
    }

    var advice: String? {
        guard case .address(let text) = location, let source = ServicePage.source(ofPhotosAt: text) else { return nil }
        return ServicePage.advice(for: source)
    }

    var trustedAddresses: [String] {
        if case .address(let text) = location { [text] } else { [] }
    }

    /// A feed may link to pictures on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        SyndicationFeed(location: location, transfers: transfers, options: options)
    }

    /// Whether the path names a regular file that starts like XML, HTML, a JSON Feed or a IIIF resource.
    ///
    /// A pipe never matches: it can be read only once, so it must not be sniffed.
    private static func isFeedFile(_ path: String) -> Bool {
        guard let file = try? OpenFile.reading(path, followsLink: true) else { return false }
        var head = (try? file.read(at: 0, count: 4 << 10)) ?? []
        if head.starts(with: [0x1F, 0x8B]) {
            var (decoder, rest) = (GzipDecoder(), head[...])
            head = (try? decoder.decompress(&rest)) ?? []
        }
        if XMLCleaning.trimmed(head).first == UInt8(ascii: "<") || ReplyKind.isSavedFeed(head) { return true }
        // The version of a JSON Feed may be at its end.
        guard head.count == 4 << 10, head.first(where: { !$0.isSpace }) == UInt8(ascii: "{"),
            head.firstRange(of: "\"items\"".utf8) != nil
        else { return false }
        return (try? file.read(at: 0, count: 16 << 20)).map(ReplyKind.isSavedFeed) ?? false
    }
}

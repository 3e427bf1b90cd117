// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The records of an OAI-PMH 2.0 repository; a cursor is a resumption token.
struct OAIFeed: Feed {
    private static let limit = 16 << 20
    /// The number of pages that are requested again for a new resumption token.
    private static let maxPagesReadAgain = 1000

    let name: String
    let defaultVariant = Variant.original
    private let request: OAIRequest
    private let transfers: Transfers

    init(root: String, transfers: Transfers) {
        name = WebAddress(root)?.host ?? "oai"
        request = OAIRequest(root)
        self.transfers = transfers
    }

    /// Repositories have pages of fifty records and millions of records.
    var maxPages: Int? { 100_000 }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let reply = try await reply(at: cursor, token: token)
        guard reply.hasInvalidToken, cursor != nil, number <= Self.maxPagesReadAgain else {
            return try await Self.page(number, of: reply, through: transfers, token: token)
        }
        // Tokens expire, also while a mirror is interrupted. Only the list itself leads to a new one.
        var current: OAIPage? = try await self.reply(at: nil, token: token)
        for _ in 2..<number + 1 {
            try current?.checkError()
            // The list may have become shorter.
            guard let next = current?.next else {
                current = nil
                break
            }
            current = try await self.reply(at: next, token: token)
        }
        var page = Page(number: number, photos: [])
        if let current { page = try await Self.page(number, of: current, through: transfers, token: token) }
        page.notes.append(Self.expired)
        return page
    }

    /// Makes the page of a reply, with the pictures of the IIIF manifests that its records name.
    static func page(
        _ number: Int, of reply: OAIPage, through transfers: Transfers, token: CancellationToken
    ) async throws(Failure) -> Page {
        var manifests: [OAIPage.Manifest] = []
        var page = try reply.page(number, manifests: &manifests, token: token)
        // From the last one on, so that the positions of the others stay.
        for manifest in manifests.reversed() {
            let photos = try await photos(of: manifest, through: transfers, token: token)
            page.photos.insert(contentsOf: photos, at: manifest.position)
        }
        return page
    }

    /// Returns the photos of a manifest, with the facts of the record that it lacks.
    private static func photos(
        of manifest: OAIPage.Manifest, through transfers: Transfers, token: CancellationToken
    ) async throws(Failure) -> [Photo] {
        do throws(Failure) {
            let tree = IIIFTree(root: manifest.address, transfers: transfers)
            guard case .manifest(let photos, _) = try await tree.node(at: manifest.address, token: token) else {
                throw Failure(.feedParse, "\(manifest.address) is not a IIIF manifest")
            }
            return photos.map { $0.completed(by: manifest.record) }
        } catch {
            guard error.cause != .cancelled else { throw error }
            var photo = manifest.record
            photo.invalidReason = error
            return [photo]
        }
    }

    private static let expired =
        "the repository's resumption token had expired, so the list was read again from its beginning"

    private func reply(at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> OAIPage {
        let address = cursor.map { request.address(resuming: $0.rawValue) } ?? request.address
        var page = Request(address, limit: Self.limit, timeout: .seconds(60))
        page.acceptsCompression = true
        return try OAIPage(try await transfers.fetch(page, token: token).body, token: token)
    }
}

extension Photo {
    /// The photo with the facts of another one that it lacks.
    fileprivate func completed(by other: Photo) -> Photo {
        var photo = self
        for field in PhotoField.all {
            switch field.property {
            case .text(let path): photo[keyPath: path] = photo[keyPath: path] ?? other[keyPath: path]
            case .number(let path): photo[keyPath: path] = photo[keyPath: path] ?? other[keyPath: path]
            }
        }
        return photo
    }
}

/// The address of a request for records, made from a repository's address and the arguments in its query.
struct OAIRequest {
    /// The arguments of the protocol; a repository may have others, such as a key.
    private static let arguments: Set<Substring> = [
        "verb", "metadataPrefix", "set", "from", "until", "identifier", "resumptionToken",
    ]

    private let base: Substring
    private let query: [Substring]

    init(_ address: String) {
        base = address.prefix { $0 != "?" && $0 != "#" }
        query = address.dropFirst(base.utf8.count).prefix { $0 != "#" }.dropFirst().split(separator: "&")
    }

    /// Whether the verb, if there is one, asks for records.
    var listsRecords: Bool { ["ListRecords", "GetRecord", nil].contains(value(of: "verb")) }

    /// The address of the first page; the default format is Dublin Core, which every repository has.
    var address: String {
        var query = query
        let isOne = value(of: "identifier") != nil
        if value(of: "verb") == nil { query.insert(isOne ? "verb=GetRecord" : "verb=ListRecords", at: 0) }
        if value(of: "metadataPrefix") == nil, value(of: "resumptionToken") == nil {
            query.append("metadataPrefix=oai_dc")
        }
        return "\(base)?\(query.joined(separator: "&"))"
    }

    /// Returns the address of the page at a resumption token, which excludes all other arguments of the protocol.
    func address(resuming token: String) -> String {
        let kept = query.filter { !Self.arguments.contains(Self.name($0)) }.map(String.init)
        let parts = ["verb=ListRecords", "resumptionToken=\(token.percentEncoded())"] + kept
        return "\(base)?\(parts.joined(separator: "&"))"
    }

    private func value(of name: Substring) -> Substring? {
        query.first { Self.name($0) == name }.map { $0.dropFirst(name.utf8.count + 1) }
    }

    private static func name(_ part: Substring) -> Substring { part.prefix { $0 != "=" } }
}

/// `oai:` followed by the address of an OAI-PMH repository, with its arguments such as `set` as the query.
struct OAISource: SingleFeedKind {
    private let address: String

    init?(_ text: String) throws(SourceError) {
        guard text.hasPrefix("oai:") else { return nil }
        address = String(text.dropFirst(4))
        guard let web = WebAddress(address), ["http", "https"].contains(web.scheme) else {
            throw SourceError("invalid source '\(text)': oai: needs the address of an OAI-PMH repository")
        }
        guard OAIRequest(address).listsRecords else {
            throw SourceError(
                "invalid source '\(text)': pictures are in replies to the verbs ListRecords and GetRecord")
        }
    }

    var trustedAddresses: [String] { [address] }

    /// A repository may link to pictures on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        OAIFeed(root: address, transfers: transfers)
    }
}

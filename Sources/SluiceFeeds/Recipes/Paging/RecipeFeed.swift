// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The feed of one listing of a service that a recipe describes.
struct RecipeFeed: Feed {
    let recipe: Recipe
    let listing: RecipeListing
    let argument: String?
    let client: RecipeClient
    let options: FeedOptions
    /// The listed ids, for paging by ids.
    let ids = Locked<[String]?>(nil)
    /// The listings that have been loaded, for paging by tree.
    let visited = Locked<TextSet>([])

    init(_ recipe: Recipe, _ listing: RecipeListing, argument: String?, client: RecipeClient, options: FeedOptions) {
        (self.recipe, self.listing, self.argument) = (recipe, listing, argument)
        (self.client, self.options) = (client, options)
    }

    var name: String { recipe.name }
    var defaultVariant: String { recipe.defaultVariant }
    /// A list of ids is finite, so its pages are not limited.
    var maxPages: Int? { paging.method == .ids ? nil : 10_000 }
    var paging: RecipePaging { recipe.paging(of: listing) }
    var size: Int { paging.size(requested: options.perPage) }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        if paging.method == .ids { return try await idPage(number, at: cursor, token: token) }
        let addresses = cursor?.rawValue.split(separator: "\n").map(String.init) ?? [firstAddress.text]
        guard let address = addresses.first else { throw Failure(.internal, "the cursor is empty") }
        let reply = try await client.load(address, token: token)
        var lists = try lists(in: reply)
        for index in lists.indices {
            lists[index] = try await following(lists[index], in: reply.json, token: token)
        }
        return try page(number, of: reply, lists, at: address, pending: Array(addresses.dropFirst()), token: token)
    }

    /// Makes the page of a reply with these records.
    func page(
        _ number: Int, of reply: RecipeClient.Reply, _ lists: [RecordList], at address: String,
        pending: [String] = [], token: CancellationToken
    ) throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        for list in lists { try addPhotos(of: list, in: reply, to: &page, token: token) }
        page.total = total(in: reply)
        page.mayBeEmpty = page.mayBeEmpty || [.cursor, .continue, .tree].contains(paging.method)
        page.next = try next(
            after: address, number, lists.reduce(0) { $0 + $1.records.count }, reply,
            pending: pending)
        stopAtServiceLimit(&page, address: address)
        return page
    }

    func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) {
        // The request carries the key, so it must not go to another origin.
        guard let ping = photo.ping, let address = WebAddress(ping), let base = WebAddress(recipe.base),
            address.hasOrigin(of: base)
        else { return }
        try await client.reportDownload(at: address.text, token: token)
    }

    /// The first page's address, with the user's sort order and page size.
    var firstAddress: PageAddress {
        var address = listing.address(below: recipe.base, argument: argument, common: recipe.parameters)
        if let order = options.order, let name = listing.orderParameter { address[name] = order }
        if [.page, .offset].contains(paging.method) { address[paging.parameter] = String(paging.firstPage) }
        if let name = paging.sizeParameter { address[name] = String(size) }
        return address
    }

    // MARK: Records

    func records(in reply: RecipeClient.Reply) throws(Failure) -> [JSON] {
        let location = recipe.records(of: listing)
        let values = location.path.values(in: reply.json)
        if values.count == 1, let elements = values[0].elements { return elements }
        // A single value that is not an object cannot be a record.
        if values.count == 1, case .object = values[0] {} else if values.count == 1 { throw notAList(reply) }
        let isList = location.isSingle || !values.isEmpty && location.path != .whole
        guard isList || values.isEmpty && location.isOptional else { throw notAList(reply) }
        return values
    }

    private func notAList(_ reply: RecipeClient.Reply) -> Failure {
        Failure(.feedParse, "the reply does not contain a list of photos", status: reply.response.status)
    }

    /// The records of a reply, or of one collection in it.
    struct RecordList {
        /// The name of the collection, if the reply names any.
        var name: String?
        var records: [JSON]
        /// The reasons why links of records could not be followed, by the records' indices.
        var failures: [Int: Failure] = [:]
    }

    /// Returns the records of a reply, by collection.
    func lists(in reply: RecipeClient.Reply) throws(Failure) -> [RecordList] {
        try recipe.hasCollections ? collections(in: reply) : [RecordList(records: records(in: reply))]
    }

    /// Returns the collections of a reply that is an object of lists.
    private func collections(in reply: RecipeClient.Reply) throws(Failure) -> [RecordList] {
        guard case .object(let members) = reply.json else { throw notAList(reply) }
        return members.compactMap { member in
            member.value.elements.map { RecordList(name: member.name.truncated(to: Photo.maxIDLength), records: $0) }
        }
    }

    /// Adds a photo for each record that the recipe accepts; invalid records become photos with an `invalidReason`.
    func addPhotos(
        of list: RecordList, in reply: RecipeClient.Reply, to page: inout Page, token: CancellationToken
    ) throws(Failure) {
        let base = WebAddress(reply.response.url)
        let name = list.name.map { "\($0), record" } ?? "record"
        var withoutPhoto = 0
        var leftOut: [PictureEvidence.Reason: Int] = [:]
        for (index, record) in list.records.enumerated() {
            try token.check()
            let position = "\(name) \(index + 1) of page \(page.number)"
            guard case .object = record else {
                page.photos.append(.invalid(position, "is not an object"))
                continue
            }
            if let failure = list.failures[index] {
                page.photos.append(recipe.photo.failed(failure, record, of: reply.json, position: position))
                continue
            }
            let isWanted = listing.conditions.accept(FieldContext(record, of: reply.json))
            guard isWanted, recipe.photo.accepts(record, of: reply.json) else {
                page.mayBeEmpty = true
                continue
            }
            let found = try recipe.photo.photos(
                from: record, of: reply.json, at: base, position: position, parts: listing.parts, token: token)
            leftOut.merge(found.leftOut, uniquingKeysWith: +)
            if found.photos.isEmpty { withoutPhoto += 1 }
            for var photo in found.photos {
                photo.collection = list.name ?? photo.collection
                page.photos.append(photo)
            }
        }
        if withoutPhoto > 0 {
            page.mayBeEmpty = true
            page.notes.append("page \(page.number): \(withoutPhoto) of \(list.records.count) records have no photo")
        }
        if let note = PagePhotos.note(leftOut) { page.notes.append("page \(page.number): \(note)") }
    }

    // MARK: Next page

    private func total(in reply: RecipeClient.Reply) -> Int? {
        paging.totalHeader.flatMap { reply.response.headers[$0] }.flatMap { Int($0)?.within(Quantity.range) }
            ?? paging.total.flatMap { $0.value(in: reply.json)?.quantity }
    }

    private func next(
        after address: String, _ number: Int, _ count: Int, _ reply: RecipeClient.Reply, pending: [String]
    ) throws(Failure) -> Cursor? {
        switch paging.method {
        case .none, .ids: return nil
        case .page: return nextNumberedPage(after: address, number, count, reply)
        case .offset: return nextOffset(after: address, count, reply)
        case .link:
            return LinkHeader(reply.response.headers.all("link"))["next"].flatMap { resolve($0, in: reply) }
                .map { Cursor(rawValue: $0) }
        case .url:
            return paging.path?.text(in: reply.json).flatMap { resolve($0, in: reply) }.map { Cursor(rawValue: $0) }
        case .cursor:
            guard let value = paging.path?.text(in: reply.json) else { return nil }
            var next = firstAddress
            next[paging.parameter] = value
            return Cursor(rawValue: next.text)
        case .continue:
            guard case .object(let members)? = paging.path?.value(in: reply.json), !members.isEmpty else {
                return nil
            }
            var next = firstAddress
            for member in members { next[member.name] = member.value.text }
            return Cursor(rawValue: next.text)
        case .tree: return try nextTreeListing(after: address, reply, pending: pending)
        }
    }

    /// Ends the feed at the maximum that the service returns, because some services then repeat the last photos.
    private func stopAtServiceLimit(_ page: inout Page, address: String) {
        guard let maxPhotos = listing.maxPhotos, page.next != nil else { return }
        guard page.number * pageSize(in: address) >= maxPhotos else { return }
        page.next = nil
        let total = page.total.map { " of \($0)" } ?? ""
        page.notes.append(
            "\(name):\(listing.name) returns only the first \(maxPhotos)\(total) photos; narrow the query to get the others"
        )
    }

    /// Returns the page size that an address requests; the address may come from the service.
    private func pageSize(in address: String) -> Int {
        let stated = paging.sizeParameter.flatMap { PageAddress.value(of: $0, in: address) }.flatMap {
            Int($0)?.within(Quantity.range)
        }
        return stated.map { min($0, RecipeNode.maxInteger) } ?? size
    }

    /// Returns the cursor of the next page number, unless the reply shows that this is the last page.
    private func nextNumberedPage(
        after address: String, _ number: Int, _ count: Int, _ reply: RecipeClient.Reply
    ) -> Cursor? {
        guard count > 0 else { return nil }
        let links = LinkHeader(reply.response.headers.all("link"))
        if !links.isEmpty, links["next"] == nil { return nil }
        var next = firstAddress
        next[paging.parameter] = String(paging.firstPage + number)
        // If the service returns smaller pages than requested, request that size: otherwise every page would look like
        // the last.
        let requested = pageSize(in: address)
        let actual = number == 1 ? min(count, requested) : requested
        if let name = paging.sizeParameter { next[name] = String(actual) }
        if let path = paging.path {
            guard let text = path.text(in: reply.json), text != "false" else { return nil }
        } else if let pages = paging.pages?.value(in: reply.json)?.integer {
            if number >= pages { return nil }
        } else if let total = total(in: reply) {
            if number * actual >= total { return nil }
        } else if links.isEmpty, count < actual {
            return nil
        }
        return Cursor(rawValue: next.text)
    }

    /// Returns the cursor of the next offset, unless the reply shows that this is the last page.
    private func nextOffset(after address: String, _ count: Int, _ reply: RecipeClient.Reply) -> Cursor? {
        let text = PageAddress.value(of: paging.parameter, in: address) ?? ""
        guard count > 0, let offset = Int(text), (0...RecipeNode.maxInteger).contains(offset) else { return nil }
        let end = offset + count
        if paging.path?.text(in: reply.json) == "true" { return nil }
        if let total = total(in: reply) {
            if end - paging.firstPage >= total { return nil }
        } else if paging.path == nil, count < pageSize(in: address) {
            return nil
        }
        var next = firstAddress
        next[paging.parameter] = String(end)
        return Cursor(rawValue: next.text)
    }

    /// The maximum number of listings in a cursor.
    private static let maxPendingListings = 1000

    /// Returns the cursor of the next listing in a tree: depth first, without the listings loaded before.
    private func nextTreeListing(
        after address: String, _ reply: RecipeClient.Reply, pending: [String]
    ) throws(Failure) -> Cursor? {
        var children: [String] = []
        for link in (paging.path?.values(in: reply.json) ?? []).compactMap(\.text) {
            if let child = resolve(link, in: reply), !children.contains(child), !pending.contains(child) {
                children.append(child)
            }
            guard children.count + pending.count <= Self.maxPendingListings else {
                throw Failure(.feedParse, "more than \(Self.maxPendingListings) listings are pending")
            }
        }
        let new = visited.withLock { visited in
            visited.insert(address)
            return children.filter { !visited.contains($0) }
        }
        let rest = new + pending
        return rest.isEmpty ? nil : Cursor(rawValue: rest.joined(separator: "\n"))
    }

    /// Returns the cursor of a link in a reply.
    ///
    /// A link that leaves the service's origin is not followed, because the request would carry the key.
    private func resolve(_ link: String, in reply: RecipeClient.Reply) -> String? {
        guard let here = WebAddress(reply.response.url), let base = WebAddress(recipe.base),
            var next = WebAddress(client.redacted(link), relativeTo: here)
        else { return nil }
        // Some services on https link to their own pages with http.
        if base.scheme == "https", next.scheme == "http", let secure = WebAddress("https" + next.text.dropFirst(4)) {
            next = secure
        }
        guard next.hasOrigin(of: base) else { return Cursor.foreign(next.text).rawValue }
        return recipe.key?.query.map(next.text.withoutQueryParameter) ?? next.text
    }
}

/// Paging by ids: the service lists ids only, and each photo needs its own request.
extension RecipeFeed {
    /// Loads a page: a range of the id list, with one request for each id.
    func idPage(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let ids = try await allIDs(token: token)
        let start = min(cursor?.position ?? 0, ids.count)
        let end = min(start + size, ids.count)
        var page = Page(number: number, photos: [])
        for id in ids[start..<end] {
            do throws(Failure) {
                try await addPhoto(id, to: &page, token: token)
            } catch {
                switch error.cause {
                case .cancelled: throw error
                // The list may still have ids of photos that were removed.
                case .httpClientError(404): page.notes.append("page \(number): \(id) is listed but does not exist")
                default:
                    var photo = Photo(id: id)
                    photo.invalidReason = error
                    page.photos.append(photo)
                }
            }
        }
        page.total = ids.count
        page.mayBeEmpty = true
        page.next = end < ids.count ? Cursor(rawValue: String(end)) : nil
        return page
    }

    private func addPhoto(_ id: String, to page: inout Page, token: CancellationToken) async throws(Failure) {
        let record = JSON.object([JSON.Member(name: "id", value: .string(id))])
        guard let path = paging.detail?.text(in: FieldContext(record)) else { return }
        let reply = try await client.load(recipe.base + path, token: token)
        let list = try await following(RecordList(records: [reply.json]), in: reply.json, token: token)
        try addPhotos(of: list, in: reply, to: &page, token: token)
        // Identify an invalid record by its id, because every record would be record 1 here.
        if let last = page.photos.last, last.id.hasPrefix("record 1 of page \(page.number)") {
            page.photos[page.photos.count - 1] = .invalid(id, "of page \(page.number) has an invalid record")
        }
    }

    /// Returns the ids that the service lists; they are requested once.
    private func allIDs(token: CancellationToken) async throws(Failure) -> [String] {
        if let known = ids.withLock({ $0 }) { return known }
        let reply = try await client.load(firstAddress.text, token: token)
        let found = (paging.path?.values(in: reply.json) ?? []).flatMap { $0.elements ?? [$0] }.compactMap(\.text)
        ids.withLock { $0 = found }
        return found
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A listing of a service that a recipe describes, read page by page.
struct RecipeFeed: Feed {
    let recipe: Recipe
    let listing: RecipeListing
    let argument: String?
    let client: RecipeClient
    let options: FeedOptions
    /// The ids that a service listed, for the walk's length.
    let ids = Locked<[String]?>(nil)
    /// The addresses that a tree was walked to.
    let visited = Locked<Set<String>>([])

    init(_ recipe: Recipe, _ listing: RecipeListing, argument: String?, client: RecipeClient, options: FeedOptions) {
        self.recipe = recipe
        self.listing = listing
        self.argument = argument
        self.client = client
        self.options = options
    }

    var name: String { recipe.name }
    var defaultVariant: String { recipe.defaultVariant }
    /// A list of ids ends, however long it is.
    var longest: Int? { paging.way == .ids ? nil : 10_000 }
    var paging: RecipePaging { recipe.paging(of: listing) }
    var size: Int { paging.size(wanted: options.perPage) }

    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        if paging.way == .ids { return try await idPage(number, at: cursor, token: token) }
        let places = cursor?.rawValue.split(separator: "\n").map(String.init) ?? [firstAddress.text]
        guard let address = places.first else { throw Failure(.internal, "an empty cursor") }
        let reply = try await client.ask(address, token: token)
        let lists = try recipe.hasCollections ? collections(in: reply) : [List(records: records(in: reply))]
        var page = Page(number: number, photos: [])
        for list in lists { take(list, of: reply, into: &page) }
        page.total = total(in: reply)
        page.mayBeEmpty = page.mayBeEmpty || [.cursor, .continue, .tree].contains(paging.way)
        page.next = try next(
            behind: address, number, lists.reduce(0) { $0 + $1.records.count }, reply,
            pending: Array(places.dropFirst()))
        end(&page, behind: address)
        return page
    }

    func ping(_ photo: Photo, token: Token) async throws(Failure) {
        // The key goes to the service alone, whatever address a record has.
        guard let ping = photo.ping, let address = WebAddress(ping), let base = WebAddress(recipe.base),
            address.hasOrigin(of: base)
        else { return }
        try await client.ping(address.text, token: token)
    }

    /// The first page's address, with all that the user asks for.
    var firstAddress: PageAddress {
        var address = listing.address(below: recipe.base, argument: argument, common: recipe.parameters)
        if let order = options.order, let name = listing.orderParameter { address[name] = order }
        if paging.way == .page { address[paging.parameter] = String(paging.first) }
        if let name = paging.sizeParameter { address[name] = String(size) }
        return address
    }

    // MARK: Records

    func records(in reply: RecipeClient.Reply) throws(Failure) -> [JSON] {
        let place = recipe.records(of: listing)
        let values = place.path.values(in: reply.json)
        if values.count == 1, let elements = values[0].elements { return elements }
        // One value that is no object is no list of anything.
        if values.count == 1, case .object = values[0] {} else if values.count == 1 { throw notAList(reply) }
        let isList = place.isSingle || !values.isEmpty && place.path != .whole
        guard isList || values.isEmpty && place.mayLack else { throw notAList(reply) }
        return values
    }

    private func notAList(_ reply: RecipeClient.Reply) -> Failure {
        Failure(.feedParse, "the reply is no list of photos", status: reply.response.status)
    }

    /// Records of one reply that belong together.
    struct List {
        /// The collection that they are, if the reply names any.
        var name: String?
        var records: [JSON]
    }

    /// A reply that is an object of lists: each list is a collection, and ids are its own.
    private func collections(in reply: RecipeClient.Reply) throws(Failure) -> [List] {
        guard case .object(let members) = reply.json else { throw notAList(reply) }
        return members.compactMap { member in
            member.value.elements.map { List(name: member.name.cut(to: Photo.longestID), records: $0) }
        }
    }

    /// Makes photos of a list's records; what is none is a photo with a flaw, what is not wanted is passed over.
    func take(_ list: List, of reply: RecipeClient.Reply, into page: inout Page) {
        let base = WebAddress(reply.response.url)
        let name = list.name.map { "\($0), record" } ?? "record"
        for (index, record) in list.records.enumerated() {
            let place = "\(name) \(index + 1) of page \(page.number)"
            guard case .object = record else {
                page.photos.append(.flawed(place, "is no object"))
                continue
            }
            guard recipe.photo.wants(record) else {
                page.mayBeEmpty = true
                continue
            }
            var photo = recipe.photo.photo(from: record, of: reply.json, at: base, place: place)
            photo.collection = list.name ?? photo.collection
            page.photos.append(photo)
        }
    }

    // MARK: The way on

    private func total(in reply: RecipeClient.Reply) -> Int? {
        paging.totalHeader.flatMap { reply.response.headers[$0] }.flatMap { Int($0) }
            ?? paging.total.flatMap { $0.value(in: reply.json)?.integer }
    }

    private func next(
        behind address: String, _ number: Int, _ count: Int, _ reply: RecipeClient.Reply, pending: [String]
    ) throws(Failure) -> Cursor? {
        switch paging.way {
        case .none, .ids: return nil
        case .page: return counted(behind: address, number, count, reply)
        case .link:
            return try LinkHeader(reply.response.headers.all("link"))["next"].flatMap { (link) throws(Failure) in
                try own(link, in: reply)
            }.map { Cursor(rawValue: $0) }
        case .url:
            return try paging.path?.text(in: reply.json).flatMap { (link) throws(Failure) in try own(link, in: reply) }
                .map { Cursor(rawValue: $0) }
        case .cursor:
            guard let word = paging.path?.text(in: reply.json) else { return nil }
            var next = firstAddress
            next[paging.parameter] = word
            return Cursor(rawValue: next.text)
        case .continue:
            guard case .object(let members)? = paging.path?.value(in: reply.json) else { return nil }
            var next = firstAddress
            for member in members { next[member.name] = member.value.text }
            return Cursor(rawValue: next.text)
        case .tree: return try branch(behind: address, reply, pending: pending)
        }
    }

    /// Ends a walk where the service gives no more, whatever it says: some then give the last photos again and again.
    private func end(_ page: inout Page, behind address: String) {
        guard let deepest = listing.deepest, page.next != nil else { return }
        guard page.number * asked(by: address) >= deepest else { return }
        page.next = nil
        let all = page.total.map { ", and counts \($0)" } ?? ""
        page.notes.append(
            "\(name) gives the first \(deepest) photos of \(name):\(listing.name)\(all): narrow it to have the others")
    }

    /// How many photos an address asks for.
    private func asked(by address: String) -> Int {
        paging.sizeParameter.flatMap { PageAddress.value(of: $0, in: address) }.flatMap { Int($0) } ?? size
    }

    /// The next page by number, unless anything says that this was the last.
    private func counted(
        behind address: String, _ number: Int, _ count: Int, _ reply: RecipeClient.Reply
    ) -> Cursor? {
        guard count > 0 else { return nil }
        let links = LinkHeader(reply.response.headers.all("link"))
        if !links.isEmpty, links["next"] == nil { return nil }
        var next = firstAddress
        next[paging.parameter] = String(paging.first + number)
        // A service that gives fewer than it is asked for is asked for what it gives: or a full page would look short.
        let asked = asked(by: address)
        let given = number == 1 ? min(count, asked) : asked
        if let name = paging.sizeParameter { next[name] = String(given) }
        if let pages = paging.pages?.value(in: reply.json)?.integer {
            if number >= pages { return nil }
        } else if let total = total(in: reply) {
            if number * given >= total { return nil }
        } else if links.isEmpty, count < given {
            return nil
        }
        return Cursor(rawValue: next.text)
    }

    /// An address that the service gave, which must be its own: a key must not follow it to another host.
    func own(_ link: String, in reply: RecipeClient.Reply) throws(Failure) -> String? {
        guard let here = WebAddress(reply.response.url), let base = WebAddress(recipe.base),
            var next = WebAddress(client.hidden(link), relativeTo: here)
        else { return nil }
        // Some services forget the `s` of their own address.
        if base.scheme == "https", next.scheme == "http", let secure = WebAddress("https" + next.text.dropFirst(4)) {
            next = secure
        }
        guard next.hasOrigin(of: base) else { throw Failure(.crossOriginNext, next.text) }
        return recipe.key?.query.map { PageAddress.without($0, in: next.text) } ?? next.text
    }
}

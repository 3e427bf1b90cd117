// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The statements on items: what the feeds said of each photo, and which run saw it last.
final class ItemTable {
    /// What ``item(from:)`` reads, in its order.
    static let columns = "seq, feed, page, collection, id, \(facts.joined(separator: ", "))"

    private static let facts = [
        "variants", "items.width", "items.height", "caption", "author", "author_url", "page_url", "license",
        "license_url", "attribution", "items.color", "items.placeholder", "ping", "date", "camera",
    ]

    private let find: Statement
    private let insert: Statement
    private let refresh: Statement
    private let list: Statement
    private let variants: Statement
    private let restore: Statement

    init(_ database: borrowing Database) throws(LedgerError) {
        let names = Self.facts.map { $0.replacing("items.", with: "") }.joined(separator: ", ")
        let values = Self.facts.indices.map { "?\($0 + 4)" }.joined(separator: ", ")
        find = try Statement(
            """
            SELECT seq, run, listings.facts FROM items LEFT JOIN listings USING (seq)
            WHERE feed = ?1 AND collection = ?2 AND id = ?3
            """, of: database)
        insert = try Statement(
            "INSERT INTO items (feed, collection, id, \(names)) VALUES (?1, ?2, ?3, \(values)) RETURNING seq",
            of: database)
        refresh = try Statement(
            "UPDATE items SET (\(names)) = (\(values)) WHERE feed = ?1 AND collection = ?2 AND id = ?3", of: database)
        variants = try Statement("SELECT variants FROM items WHERE seq = ?1", of: database)
        restore = try Statement(
            "INSERT INTO items (feed, collection, id, \(names), seq) VALUES (?1, ?2, ?3, \(values), ?\(Self.facts.count + 4))",
            of: database)
        list = try Statement(
            """
            INSERT INTO listings (seq, run, page, facts) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (seq) DO UPDATE SET run = ?2, page = ?3, facts = ?4
            """, of: database)
    }

    /// The photo's item, new or known; `nil` if this run has listed the photo before, and a word to `noting` if it then
    /// had other addresses.
    func take(
        _ photo: Photo, page: Int, in run: LedgerRun, noting note: (Photo) -> Void
    ) throws(LedgerError) -> (item: Item, isNew: Bool)? {
        let key = [SQLValue.text(run.feed), .text(photo.collection ?? ""), .text(photo.id)]
        let known = try find.first(key) { row in (seq: row.integer(), run: row.integer(), facts: row.integer()) }
        let facts = Fingerprint(of: photo).value
        if let known, known.run == run.id {
            if known.facts != facts, try !hasAddresses(of: photo, known.seq) { note(photo) }
            return nil
        }
        var seq = known?.seq
        if known == nil {
            seq = try insert.first(key + Self.facts(of: photo)) { row in row.integer() }.flatMap { $0 }
        } else if known?.facts != facts {
            // Most rows of most runs are unchanged, and none of those is written again.
            try refresh.run(key + Self.facts(of: photo))
        }
        guard let seq else { return nil }
        try list.run([.integer(seq), .integer(run.id), .integer(page), .integer(facts)])
        return (Item(seq: seq, feed: run.feed, page: page, photo: photo), known == nil)
    }

    private func hasAddresses(of photo: Photo, _ seq: Int?) throws(LedgerError) -> Bool {
        let text = try variants.first([SQLValue(seq)]) { row in row.text() }.flatMap { $0 }
        return text.flatMap(StoredLists.variants)?.map(\.url) == photo.variants.map(\.url)
    }

    /// Puts an item in its place, as a lost ledger had it.
    func restore(_ item: Item, in run: LedgerRun) throws(LedgerError) {
        let photo = item.photo
        let key = [SQLValue.text(item.feed), .text(photo.collection ?? ""), .text(photo.id)]
        try restore.run(key + Self.facts(of: photo) + [.integer(item.seq)])
        let facts = Fingerprint(of: photo).value
        try list.run([.integer(item.seq), .integer(run.id), .integer(item.page), .integer(facts)])
    }

    private static func facts(of photo: Photo) -> [SQLValue] {
        [
            .text(StoredLists.text(of: photo.variants)), SQLValue(photo.width), SQLValue(photo.height),
            SQLValue(photo.caption), SQLValue(photo.author), SQLValue(photo.authorURL), SQLValue(photo.pageURL),
            SQLValue(photo.license), SQLValue(photo.licenseURL), SQLValue(photo.attribution), SQLValue(photo.color),
            SQLValue(photo.placeholder), SQLValue(photo.ping), SQLValue(photo.date), SQLValue(photo.camera),
        ]
    }

    /// Reads an item from the row's next columns.
    static func item(from row: inout Row) throws(LedgerError) -> Item {
        let seq = row.integer() ?? 0
        let feed = row.text() ?? ""
        let page = row.integer() ?? 0
        let collection = row.text()
        var photo = Photo(id: row.text() ?? "")
        photo.collection = collection?.isEmpty == true ? nil : collection
        guard let variants = StoredLists.variants(in: row.text() ?? "") else {
            throw row.damaged("item \(seq) has no list of variants")
        }
        photo.variants = variants
        photo.width = row.integer()
        photo.height = row.integer()
        photo.caption = row.text()
        photo.author = row.text()
        photo.authorURL = row.text()
        photo.pageURL = row.text()
        photo.license = row.text()
        photo.licenseURL = row.text()
        photo.attribution = row.text()
        photo.color = row.text()
        photo.placeholder = row.text()
        photo.ping = row.text()
        photo.date = row.integer()
        photo.camera = row.text()
        return Item(seq: seq, feed: feed, page: page, photo: photo)
    }
}

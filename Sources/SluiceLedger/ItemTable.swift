// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The prepared statements for items: the photos' facts, and the run that listed each photo last.
final class ItemTable {
    /// The columns read by ``item(from:)``, in order.
    static let columns = "seq, feed, page, collection, id, \(facts.joined(separator: ", "))"

    private static let fields = PhotoField.all.filter { $0.ledger != .key && !$0.isMark } + PhotoMark.fields
    private static let facts = ["items.variants"] + fields.map { "items.\($0.name)" }
    /// The number of facts that a feed states; the user's marks follow them.
    private static let statedCount = facts.count - PhotoMark.fields.count

    private let find: Statement
    private let findFollowing: Statement
    private let insert: Statement
    private let refresh: Statement
    private let list: Statement
    private let listAgain: Statement
    private let shown: Statement
    private let source: Statement
    private let restore: Statement

    init(_ database: borrowing Database) {
        let names = Self.facts.map { $0.replacing("items.", with: "") }.joined(separator: ", ")
        let values = Self.facts.indices.map { "?\($0 + 4)" }.joined(separator: ", ")
        let stated = Self.facts.prefix(Self.statedCount).map { $0.replacing("items.", with: "") }
        let statedValues = stated.indices.map { "?\($0 + 4)" }.joined(separator: ", ")
        let marks = PhotoMark.fields.map { "items.\($0.name)" }.joined(separator: ", ")
        let known = """
            SELECT items.seq, feed, collection, id, run, page, listings.facts, coalesce(count, 0),
                items.seq IN doubts, \(marks), \(ReceiptTable.columns)
            FROM items LEFT JOIN listings USING (seq) LEFT JOIN attempts USING (seq) LEFT JOIN receipts USING (seq)
            """
        find = Statement("\(known) WHERE feed = ?1 AND collection = ?2 AND id = ?3", of: database)
        findFollowing = Statement("\(known) WHERE items.seq > ?1 ORDER BY items.seq LIMIT ?2", of: database)
        insert = Statement(
            "INSERT INTO items (feed, collection, id, \(names)) VALUES (?1, ?2, ?3, \(values))", of: database)
        refresh = Statement(
            "UPDATE items SET (\(stated.joined(separator: ", "))) = (\(statedValues)) WHERE feed = ?1 AND collection = ?2 AND id = ?3",
            of: database)
        shown = Statement("SELECT variants, caption FROM items WHERE seq = ?1", of: database)
        source = Statement("SELECT source FROM items WHERE seq = ?1", of: database)
        restore = Statement(
            "INSERT INTO items (feed, collection, id, \(names), seq) VALUES (?1, ?2, ?3, \(values), ?\(Self.facts.count + 4))",
            of: database)
        list = Statement(
            """
            INSERT INTO listings (seq, run, page, facts) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (seq) DO UPDATE SET run = ?2, page = ?3, facts = ?4
            """, of: database)
        listAgain = Statement("UPDATE listings SET run = ?3 WHERE seq BETWEEN ?1 AND ?2", of: database)
    }

    /// Returns the known item of a photo, if any.
    func known(_ photo: Photo, ofFeed feed: String) throws(LedgerError) -> KnownItem? {
        try find.first(Self.key(of: photo, feed), KnownItem.init)
    }

    /// Returns up to `limit` known items after a position, in order.
    func known(after seq: Int, limit: Int) throws(LedgerError) -> [KnownItem] {
        var found: [KnownItem] = []
        found.reserveCapacity(limit)
        try findFollowing.forEach([.integer(seq), .integer(limit)]) { (row) throws(LedgerError) in
            found.append(try KnownItem(&row))
        }
        return found
    }

    /// Inserts the item of a new photo and returns its position.
    func add(_ photo: Photo, ofFeed feed: String) throws(LedgerError) -> Int {
        // Not with RETURNING, for which SQLite makes a temporary table each time.
        try insert.run(Self.key(of: photo, feed) + Self.facts(of: photo))
        return insert.lastPosition
    }

    /// Updates the facts of a photo, except for the user's marks.
    func refresh(_ photo: Photo, ofFeed feed: String) throws(LedgerError) {
        try refresh.run(Self.key(of: photo, feed) + Self.facts(of: photo).prefix(Self.statedCount))
    }

    /// Records that a run listed the item on a page; `facts` is the fingerprint of the photo's facts.
    func list(_ seq: Int, page: Int, facts: Int, in run: LedgerRun) throws(LedgerError) {
        try list.run([.integer(seq), .integer(run.id), .integer(page), .integer(facts)])
    }

    /// Records that a run listed a range of items unchanged.
    func listAgain(_ positions: ClosedRange<Int>, in run: LedgerRun) throws(LedgerError) {
        try listAgain.run([.integer(positions.lowerBound), .integer(positions.upperBound), .integer(run.id)])
    }

    /// Whether the item's variants have the same addresses as the photo's, and the same caption if that counts.
    func shows(_ photo: Photo, at seq: Int, withCaption: Bool) throws(LedgerError) -> Bool {
        let known = try shown.first([.integer(seq)]) { row in (variants: row.text(), caption: row.text()) }
        guard let known, !withCaption || known.caption.map(ExactText.init) == photo.caption.map(ExactText.init) else {
            return false
        }
        let variants = known.variants.flatMap(JSONColumns.variants)
        return variants?.elementsEqual(photo.variants) { $0.url === $1.url } ?? false
    }

    /// The SOURCE that listed the item in a run with several; `nil` if no such run did.
    func source(of seq: Int) throws(LedgerError) -> String? {
        try source.first([.integer(seq)]) { row in row.text() }.flatMap { $0 }
    }

    /// Inserts an item at its position from a lost ledger.
    func restore(_ item: Item, in run: LedgerRun) throws(LedgerError) {
        let photo = item.photo
        try restore.run(Self.key(of: photo, item.feed) + Self.facts(of: photo) + [.integer(item.seq)])
        try list(item.seq, page: item.page, facts: photo.fingerprint.value, in: run)
    }

    private static func key(of photo: Photo, _ feed: String) -> [SQLValue] {
        [.text(feed), .text(photo.collection ?? ""), .text(photo.id)]
    }

    private static func facts(of photo: Photo) -> [SQLValue] {
        var values = [SQLValue.text(JSONColumns.text(of: photo.variants))]
        values.reserveCapacity(facts.count)
        for field in fields {
            values.append(field.isNumber ? SQLValue(field.number(of: photo)) : SQLValue(field.text(of: photo)))
        }
        return values
    }

    /// Reads an item from the row's next columns.
    static func item(from row: inout ResultRow) throws(LedgerError) -> Item {
        let seq = try row.quantity() ?? 0
        let feed = row.text() ?? ""
        let page = try row.quantity() ?? 0
        let collection = row.text()
        var photo = Photo(id: row.text() ?? "")
        photo.collection = collection?.isEmpty == true ? nil : collection
        guard let variants = JSONColumns.variants(in: row.text() ?? "") else {
            throw row.damaged("item \(seq) has an invalid list of variants")
        }
        photo.variants = variants
        read(fields, of: &photo, from: &row)
        return Item(seq: seq, feed: feed, page: page, photo: photo)
    }

    /// Reads the values of fields from the row's next columns.
    static func read(_ fields: [PhotoField], of photo: inout Photo, from row: inout ResultRow) {
        for field in fields {
            switch field.property {
            // Most photos lack most facts.
            case .text(let path): if let text = row.text() { photo[keyPath: path] = text }
            // A feed's number, which the photo keeps if it is possible.
            case .number(let path): if let number = row.hash() { photo[keyPath: path] = number }
            }
        }
    }
}

extension Photo {
    /// The hash of the photo's facts without its key; it shows whether the feed's description has changed.
    var fingerprint: Fingerprint {
        var fingerprint = Fingerprint()
        for variant in variants {
            fingerprint.add(variant.name)
            fingerprint.add(variant.url)
            fingerprint.add(variant.width)
            fingerprint.add(variant.height)
        }
        for field in PhotoField.all {
            guard case .fact(let version) = field.ledger else { continue }
            let value = field.value(of: self)
            // Photos without later facts keep the hash that existing ledgers store.
            switch (version, value) {
            case (1, _): fingerprint.add(value)
            case (_, nil): break
            case (..<8, let value?): fingerprint.add(value)
            case (_, let value?): fingerprint.add("\(field.name) \(value)")
            }
        }
        return fingerprint
    }
}

// SPDX-License-Identifier: MIT

package import SluiceModel

extension Ledger {
    /// Returns the item at a position with its receipt; `nil` if there is no such item.
    package func entry(at seq: Int) throws(LedgerError) -> LedgerEntry? {
        try entries(after: seq - 1, limit: 1).first.flatMap { $0.item.seq == seq ? $0 : nil }
    }

    /// Returns the position of the last item; 0 for an empty ledger.
    package func lastPosition() throws(LedgerError) -> Int {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.database.count("SELECT coalesce(max(seq), 0) FROM listings")
        }
    }

    /// Returns when the run started that downloaded the item's file, in seconds since 1970; `nil` if it has none.
    package func fetchTime(of item: Item) throws(LedgerError) -> Int? {
        try connection.withLock { (connection) throws(LedgerError) in try connection.fetchTime(of: item.seq) }
    }

    /// Returns the columns of lists that the photos have besides their facts, in the order in which they appear.
    package func listedColumns() throws(LedgerError) -> [ListedColumn] {
        let texts = ListedColumn.infinities.map { "'\($0)'" }.joined(separator: ", ")
        let isInfinite = "(json_each.type = 'text' AND json_each.value IN (\(texts)))"
        return try rows(
            """
            SELECT key, sum(json_each.type NOT IN ('integer', 'real', 'true', 'false') AND NOT \(isInfinite)),
                sum(json_each.type IN ('true', 'false')), sum(json_each.type = 'real'),
                sum(json_each.type = 'integer'), sum(\(isInfinite))
            FROM items, json_each(iif(json_valid(columns), columns, '{}')) WHERE columns IS NOT NULL
            GROUP BY key ORDER BY min(seq), min(json_each.id) LIMIT \(ListedColumn.limit)
            """
        ) { (row) throws(LedgerError) in
            let name = row.text() ?? ""
            let (others, flags) = (try row.quantity() ?? 0, try row.quantity() ?? 0)
            let (decimals, integers) = (try row.quantity() ?? 0, try row.quantity() ?? 0)
            let infinities = try row.quantity() ?? 0
            let hasNumbers = decimals + integers > 0
            let kind: ListedColumn.Kind =
                if others > 0 || flags > 0 && (hasNumbers || infinities > 0) { .text } else if flags > 0 { .flag } else
                {
                    hasNumbers ? (decimals + infinities > 0 ? .decimal : .integer) : .text
                }
            return ListedColumn(name: name, kind: kind)
        }
    }

    /// The photos of a host that have the same usage terms.
    package struct UsageCount: Sendable, Hashable {
        /// The host and perhaps a port; empty for files.
        package var host: String
        /// The text of the ``UsageTerms``.
        package var usage: String
        package var photos: Int
        /// The photos that were not downloaded because of these terms.
        package var skipped: Int
    }

    /// Returns the usage terms of finished photos, and of those that were not downloaded because of them, with the
    /// numbers of these photos, for each host.
    ///
    /// The largest number comes first. An index finds the photos that have terms.
    package func usageCounts() throws(LedgerError) -> [UsageCount] {
        let address = "coalesce(final_url, failure_url, url, '')"
        let rest = "substr(\(address), instr(\(address), '://') + 3)"
        let counts = try rows(
            """
            SELECT iif(instr(\(address), '://'), substr(\(rest), 1, instr(\(rest) || '/', '/') - 1), ''),
                iif(state = 'done', usage,
                iif(detail LIKE 'X-Robots-Tag: %', 'x-robots-tag' || substr(detail, 13),
                iif(detail LIKE 'robots.txt%', 'robots.txt: disallow', 'other: opted-out'))),
                sum(state = 'done'), sum(state = 'skipped')
            FROM receipts INDEXED BY receipts_with_terms
            WHERE (usage IS NOT NULL OR cause = 'opted-out')
                AND (state = 'done' AND usage IS NOT NULL OR state = 'skipped' AND cause = 'opted-out')
            GROUP BY 1, 2
            """
        ) { (row) throws(LedgerError) in
            UsageCount(
                host: row.text() ?? "", usage: row.text() ?? "", photos: try row.quantity() ?? 0,
                skipped: try row.quantity() ?? 0)
        }
        return counts.sorted { ($1.photos, $0.host, $0.usage) < ($0.photos, $1.host, $1.usage) }
    }

    /// Returns the receipt of a photo; `nil` if it has none.
    package func receipt(of photo: Photo, inFeed feed: String) throws(LedgerError) -> Receipt? {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.items.known(photo, ofFeed: feed)?.receipt
        }
    }

    /// The photos of one feed that have an original.
    package struct OriginalsOfFeed: Sendable {
        package var feed: String
        /// The names of their variants.
        package var variants: [String]
        package var count: Int
    }

    /// Returns the feeds whose photos have originals, in the order of their first photos.
    package func originalsByFeed() throws(LedgerError) -> [OriginalsOfFeed] {
        let counts = try rows(
            """
            SELECT feed, coalesce(variant, ''), count(*) FROM items JOIN receipts USING (seq)
            WHERE state = 'done' AND file IS NOT NULL GROUP BY 1, 2 ORDER BY min(seq)
            """
        ) { (row) throws(LedgerError) in
            OriginalsOfFeed(feed: row.text() ?? "", variants: [row.text() ?? ""], count: try row.quantity() ?? 0)
        }
        return counts.reduce(into: []) { feeds, next in
            guard let known = feeds.firstIndex(where: { $0.feed === next.feed }) else { return feeds.append(next) }
            feeds[known].variants += next.variants
            feeds[known].count += next.count
        }
    }

    /// Selects receipts of items that failed, were skipped, or are done without thumbnails.
    ///
    /// The unary plus in `state` disables the index by state.
    private static func isUnfinished(_ state: String = "state") -> String {
        let causes = Cause.undecodable.map { "'\($0.name)'" }.joined(separator: ", ")
        return "(\(state) IN ('failed', 'skipped') OR \(state) = 'done' AND cause IN (\(causes)))"
    }

    /// Returns the positions of items of a run's feeds that ended with a wanted cause and lack a file.
    ///
    /// Items that no run has processed count as deferred.
    package func positions(
        ofFeed feed: String, endedWith isWanted: (Cause) -> Bool
    ) throws(LedgerError) -> [Int] {
        let ended = try rows(
            """
            SELECT seq, cause FROM receipts JOIN items USING (seq)
            WHERE \(Self.isUnfinished()) AND \(Self.isOfFeeds("?1"))
            """, [.text(feed)]
        ) { (row) throws(LedgerError) in
            (seq: try row.quantity() ?? 0, cause: row.text().flatMap(Cause.init(name:)))
        }
        var positions = ended.filter { $0.cause.map(isWanted) ?? false }.map(\.seq)
        guard isWanted(.deferred) else { return positions.sorted() }
        positions += try rows(
            """
            SELECT seq FROM listings JOIN items USING (seq) LEFT JOIN receipts USING (seq)
            WHERE state IS NULL AND \(Self.isOfFeeds("?1"))
            """, [.text(feed)]
        ) { (row) throws(LedgerError) in try row.quantity() ?? 0 }
        return positions.sorted()
    }

    /// Returns up to `limit` items after the position `seq` that failed, were skipped, or are done without thumbnails.
    package func unfinished(after seq: Int, limit: Int) throws(LedgerError) -> [LedgerEntry] {
        // The unary plus disables the index by state, with which each call would sort all of these items.
        try rows(
            """
            SELECT \(ItemTable.columns), \(ReceiptTable.columns) FROM items JOIN listings USING (seq)
            JOIN receipts USING (seq) WHERE receipts.seq > ?1 AND \(Self.isUnfinished("+state"))
            ORDER BY receipts.seq LIMIT ?2
            """, [.integer(seq), .integer(limit)]
        ) { (row) throws(LedgerError) in
            let item = try ItemTable.item(from: &row)
            return LedgerEntry(item: item, receipt: try ReceiptTable.receipt(from: &row))
        }
    }

    /// Returns the item's permanent file name, without an extension.
    ///
    /// In a mirror of an old version without recorded names, it is the name of the existing files.
    package func name(of item: Item) throws(LedgerError) -> String {
        try connection.withLock { (connection) throws(LedgerError) in
            if let name = try connection.fileNames.name(of: item.seq) { return name }
            return try Self.name(in: connection.claim(item.seq)?.receipt) ?? FileStem(for: item).description
        }
    }

    /// Returns the name of the files in a receipt; `nil` if it has no files.
    static func name(in receipt: Receipt?) -> String? {
        if let path = receipt?.original?.path { return stem(of: path, droppingFolders: 1) }
        guard let path = receipt?.thumbs.first?.file.path, path.hasPrefix("thumbs/") else { return nil }
        return stem(of: path, droppingFolders: 2)
    }

    /// Returns a path without its first folders and without its extension.
    private static func stem(of path: String, droppingFolders folders: Int) -> String {
        let parts = path.split(separator: "/").dropFirst(folders).joined(separator: "/")
        return String(parts[..<(parts.lastIndex(of: ".") ?? parts.endIndex)])
    }

    /// Runs a statement that is not prepared permanently, and maps each row with `read`.
    func rows<Value: Sendable>(
        _ sql: String, _ values: [SQLValue] = [], _ read: @Sendable (inout ResultRow) throws(LedgerError) -> Value
    ) throws(LedgerError) -> [Value] {
        try connection.withLock { (connection) throws(LedgerError) in
            var found: [Value] = []
            try Statement(sql, of: connection.database).forEach(values) { (row) throws(LedgerError) in
                found.append(try read(&row))
            }
            return found
        }
    }
}

/// An item whose position and file name a plan has assigned.
package struct PlannedItem: Sendable, Hashable {
    package var item: Item
    /// The file name, without an extension; `nil` if the item gets none.
    package var name: String?

    package init(_ item: Item, name: String?) { (self.item, self.name) = (item, name) }
}

extension Ledger {
    /// Claims planned items at their positions; new ones are inserted with their names.
    ///
    /// Throws if another photo has one of the positions or names.
    package func claim(_ planned: [PlannedItem], in run: LedgerRun) throws(LedgerError) -> [Claim] {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                var claims: [Claim] = []
                claims.reserveCapacity(planned.count)
                for new in planned { claims.append(try connection.claim(new, in: run)) }
                return claims
            }
        }
    }
}

extension LedgerConnection {
    fileprivate func claim(_ planned: PlannedItem, in run: LedgerRun) throws(LedgerError) -> Claim {
        let item = planned.item
        guard let known = try claim(item.seq) else {
            try items.restore(item, in: run)
            if let name = planned.name, try !fileNames.reserve(name, for: item.seq) { throw conflict(at: item) }
            var claim = Claim(item)
            claim.name = planned.name
            return claim
        }
        let photo = known.item.photo
        let name = try fileNames.name(of: item.seq)
        guard known.item.feed === item.feed, photo.id === item.photo.id, photo.collection === item.photo.collection,
            name === planned.name
        else { throw conflict(at: item) }
        // The plan also has the facts that a ledger does not store, such as expected checksums.
        var claim = Claim(item, crashes: known.crashes, isInDoubt: known.isInDoubt, receipt: known.receipt)
        claim.name = planned.name
        return claim
    }

    private func conflict(at item: Item) -> LedgerError {
        LedgerError(
            code: .damaged, number: 0, reason: "another photo has position \(item.seq) or its file name",
            path: database.path)
    }
}

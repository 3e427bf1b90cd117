// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The statements on receipts, on attempts that have none yet, and on doubts about receipts.
final class ReceiptTable {
    /// What ``receipt(from:)`` reads, in its order.
    static let columns = names.map { "receipts.\($0)" }.joined(separator: ", ")

    private static let names = [
        "state", "cause", "detail", "failure_status", "failure_url", "variant", "url", "final_url", "status", "file",
        "bytes", "sha256", "format", "width", "height", "orientation", "etag", "last_modified", "color",
        "placeholder", "phash", "thumbs", "stamp",
    ]

    private let insert: Statement
    private let begin: Statement
    private let end: Statement
    private let doubt: Statement
    private let endDoubt: Statement
    private let count: Statement
    private let content: Statement

    init(_ database: borrowing Database) throws(LedgerError) {
        let values = Self.names.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        insert = try Statement(
            "INSERT OR REPLACE INTO receipts (seq, \(Self.names.joined(separator: ", "))) VALUES (?1, \(values))",
            of: database)
        begin = try Statement(
            "INSERT INTO attempts VALUES (?1, 1) ON CONFLICT (seq) DO UPDATE SET count = count + 1", of: database)
        end = try Statement("DELETE FROM attempts WHERE seq = ?1", of: database)
        doubt = try Statement("INSERT OR IGNORE INTO doubts VALUES (?1)", of: database)
        endDoubt = try Statement("DELETE FROM doubts WHERE seq = ?1", of: database)
        count = try Statement("SELECT state, count(*) FROM receipts GROUP BY state", of: database)
        // Without the plus the whole hash would take the place of its beginning, and no index has that.
        content = try Statement(
            """
            SELECT file FROM receipts WHERE substr(sha256, 1, 16) = substr(?1, 1, 16) AND file IS NOT NULL
                AND +sha256 = ?1 AND seq <> ?2 ORDER BY seq DESC LIMIT 1
            """, of: database)
    }

    func beginAttempt(_ seq: Int) throws(LedgerError) {
        try begin.run([.integer(seq)])
    }

    func endAttempt(_ seq: Int) throws(LedgerError) {
        try end.run([.integer(seq)])
    }

    func doubt(_ seq: Int) throws(LedgerError) {
        try doubt.run([.integer(seq)])
    }

    func endDoubt(_ seq: Int) throws(LedgerError) {
        try endDoubt.run([.integer(seq)])
    }

    func record(_ receipt: Receipt, _ seq: Int) throws(LedgerError) {
        try insert.run([.integer(seq)] + Self.values(of: receipt))
        try endDoubt(seq)
    }

    func path(ofContent sha256: String, besides seq: Int) throws(LedgerError) -> String? {
        var path: String?
        try content.forEach([.text(sha256), .integer(seq)]) { (row) throws(LedgerError) in path = row.text() }
        return path
    }

    func counts() throws(LedgerError) -> [Receipt.State: Int] {
        var counts: [Receipt.State: Int] = [:]
        try count.forEach { (row) throws(LedgerError) in
            guard let state = row.text().flatMap(Receipt.State.init) else { throw row.damaged("an unknown state") }
            counts[state] = row.integer()
        }
        return counts
    }

    private static func values(of receipt: Receipt) -> [SQLValue] {
        let failure = receipt.failure
        return [
            .text(receipt.state.rawValue), SQLValue(failure?.cause.name), SQLValue(failure?.detail),
            SQLValue(failure?.status), SQLValue(failure?.finalURL), SQLValue(receipt.variant), SQLValue(receipt.url),
            SQLValue(receipt.finalURL), SQLValue(receipt.status), SQLValue(receipt.original?.path),
            SQLValue(receipt.original?.bytes), SQLValue(receipt.original?.sha256), SQLValue(receipt.format),
            SQLValue(receipt.width), SQLValue(receipt.height), SQLValue(receipt.orientation), SQLValue(receipt.etag),
            SQLValue(receipt.lastModified), SQLValue(receipt.color), SQLValue(receipt.placeholder),
            SQLValue(receipt.phash), .text(StoredLists.text(of: receipt.thumbs)),
            SQLValue(receipt.stamp),
        ]
    }

    /// Reads a receipt from the row's next columns; `nil` where they are all NULL: the item has none.
    static func receipt(from row: inout Row) throws(LedgerError) -> Receipt? {
        guard let word = row.text() else { return nil }
        guard let state = Receipt.State(rawValue: word) else { throw row.damaged("a receipt's state is \(word)") }
        var receipt = Receipt(state, failure: failure(from: &row))
        receipt.variant = row.text()
        receipt.url = row.text()
        receipt.finalURL = row.text()
        receipt.status = row.integer()
        receipt.original = original(from: &row)
        receipt.format = row.text()
        receipt.width = row.integer()
        receipt.height = row.integer()
        receipt.orientation = row.integer()
        receipt.etag = row.text()
        receipt.lastModified = row.text()
        receipt.color = row.text()
        receipt.placeholder = row.text()
        receipt.phash = row.text()
        guard let thumbs = StoredLists.thumbs(in: row.text() ?? "") else {
            throw row.damaged("a receipt has no list of thumbnails")
        }
        receipt.thumbs = thumbs
        receipt.stamp = row.text()
        return receipt
    }

    private static func original(from row: inout Row) -> StoredFile? {
        let path = row.text()
        let bytes = row.integer()
        let sha256 = row.text()
        guard let path, let bytes, let sha256 else { return nil }
        return StoredFile(path: path, bytes: bytes, sha256: sha256)
    }

    private static func failure(from row: inout Row) -> Failure? {
        let cause = row.text()
        let detail = row.text()
        let status = row.integer()
        let finalURL = row.text()
        guard let cause else { return nil }
        return Failure(Cause(name: cause) ?? .internal, detail ?? "", status: status, finalURL: finalURL)
    }
}

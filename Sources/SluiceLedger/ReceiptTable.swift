// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The prepared statements for receipts, crashes of decoders (the table `attempts`) and doubts.
final class ReceiptTable {
    /// The columns read by ``receipt(from:)``, in order.
    static let columns = names.map { "receipts.\($0)" }.joined(separator: ", ")

    private static let names = [
        "state", "cause", "detail", "failure_status", "failure_url", "variant", "url", "final_url", "status", "file",
        "bytes", "sha256", "format", "width", "height", "orientation", "etag", "last_modified", "color",
        "placeholder", "phash", "thumbs", "stamp", "exif", "usage", "sidecar", "license",
    ]

    private let insert: Statement
    private let countCrash: Statement
    private let clearCrashes: Statement
    private let markInDoubt: Statement
    private let clearDoubt: Statement
    private let count: Statement
    private let findContent: Statement

    init(_ database: borrowing Database) {
        let values = Self.names.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        insert = Statement(
            "INSERT OR REPLACE INTO receipts (seq, \(Self.names.joined(separator: ", "))) VALUES (?1, \(values))",
            of: database)
        countCrash = Statement(
            """
            INSERT INTO attempts SELECT seq, 1 FROM items WHERE seq = ?1
                ON CONFLICT (seq) DO UPDATE SET count = count + 1
            """, of: database)
        clearCrashes = Statement("DELETE FROM attempts WHERE seq = ?1", of: database)
        markInDoubt = Statement("INSERT OR IGNORE INTO doubts VALUES (?1)", of: database)
        clearDoubt = Statement("DELETE FROM doubts WHERE seq = ?1", of: database)
        count = Statement("SELECT state, count(*) FROM receipts GROUP BY state", of: database)
        // The unary plus keeps SQLite from substituting ?1 for sha256 in the first condition, which must match the
        // index.
        findContent = Statement(
            """
            SELECT file FROM receipts WHERE substr(sha256, 1, 16) = substr(?1, 1, 16) AND file IS NOT NULL
                AND +sha256 = ?1 AND seq <> ?2 ORDER BY seq DESC LIMIT 1
            """, of: database)
    }

    func recordCrash(_ seq: Int) throws(LedgerError) {
        try countCrash.run([.integer(seq)])
    }

    func clearCrashes(_ seq: Int) throws(LedgerError) {
        try clearCrashes.run([.integer(seq)])
    }

    func markInDoubt(_ seq: Int) throws(LedgerError) {
        try markInDoubt.run([.integer(seq)])
    }

    func clearDoubt(_ seq: Int) throws(LedgerError) {
        try clearDoubt.run([.integer(seq)])
    }

    func record(_ receipt: Receipt, _ seq: Int) throws(LedgerError) {
        try insert.run([.integer(seq)] + Self.values(of: receipt))
        try clearDoubt(seq)
    }

    func path(ofContent sha256: String, besides seq: Int) throws(LedgerError) -> String? {
        var path: String?
        try findContent.forEach([.text(sha256), .integer(seq)]) { (row) throws(LedgerError) in path = row.text() }
        return path
    }

    func counts() throws(LedgerError) -> [Receipt.State: Int] {
        var counts: [Receipt.State: Int] = [:]
        try count.forEach { (row) throws(LedgerError) in
            guard let state = row.text().flatMap(Receipt.State.init) else { throw row.damaged("unknown receipt state") }
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
            SQLValue(receipt.phash), .text(JSONColumns.text(of: receipt.thumbs)),
            SQLValue(receipt.stamp), SQLValue(receipt.exif), SQLValue(receipt.usage),
            SQLValue(receipt.sidecar.map { JSONColumns.text(of: $0) }), SQLValue(receipt.license),
        ]
    }

    /// Reads a receipt from the row's next columns; returns `nil` if they are NULL because the item has no receipt.
    static func receipt(from row: inout ResultRow) throws(LedgerError) -> Receipt? {
        guard let name = row.text() else { return nil }
        guard let state = Receipt.State(rawValue: name) else { throw row.damaged("unknown receipt state '\(name)'") }
        var receipt = Receipt(state, failure: failure(from: &row))
        receipt.variant = row.text()
        receipt.url = row.text()
        receipt.finalURL = row.text()
        receipt.status = row.integer()
        receipt.original = try original(from: &row)
        receipt.format = row.text()
        receipt.width = row.integer()
        receipt.height = row.integer()
        receipt.orientation = row.integer()
        receipt.etag = row.text()
        receipt.lastModified = row.text()
        receipt.color = row.text()
        receipt.placeholder = row.text()
        receipt.phash = row.text()
        guard let thumbs = JSONColumns.thumbs(in: row.text() ?? "") else {
            throw row.damaged("a receipt has an invalid list of thumbnails")
        }
        receipt.thumbs = thumbs
        receipt.stamp = row.text()
        receipt.exif = row.text()
        receipt.usage = row.text()
        if let text = row.text() {
            guard let file = JSONColumns.file(in: text) else { throw row.damaged("a receipt has an invalid sidecar") }
            receipt.sidecar = file
        }
        receipt.license = row.text()
        return receipt
    }

    private static func original(from row: inout ResultRow) throws(LedgerError) -> StoredFile? {
        let path = row.text()
        let bytes = try row.quantity()
        let sha256 = row.text()
        guard let path, let bytes, let sha256 else { return nil }
        return StoredFile(path: path, bytes: bytes, sha256: sha256)
    }

    private static func failure(from row: inout ResultRow) -> Failure? {
        let cause = row.text()
        let detail = row.text()
        let status = row.integer()
        let finalURL = row.text()
        guard let cause else { return nil }
        return Failure(Cause(name: cause) ?? .internal, detail ?? "", status: status, finalURL: finalURL)
    }
}

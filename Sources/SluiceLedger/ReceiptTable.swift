// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The prepared statements for receipts, crashes of decoders (the table `attempts`) and doubts.
final class ReceiptTable {
    /// The columns read by ``receipt(from:)``, in order.
    static let columns = fields.map { "receipts.\($0.name)" }.joined(separator: ", ")

    private static let fields = ReceiptField.all.filter { $0.ledger != nil }

    private let insert: Statement
    private let countCrash: Statement
    private let clearCrashes: Statement
    private let markInDoubt: Statement
    private let clearDoubt: Statement
    private let count: Statement
    private let findContent: Statement

    init(_ database: borrowing Database) {
        let names = Self.fields.map(\.name).joined(separator: ", ")
        let values = Self.fields.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        insert = Statement("INSERT OR REPLACE INTO receipts (seq, \(names)) VALUES (?1, \(values))", of: database)
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
            counts[state] = try row.quantity()
        }
        return counts
    }

    private static func values(of receipt: Receipt) -> [SQLValue] {
        fields.map { field in
            switch field.value {
            case .text(let access), .object(let access): SQLValue(access.get(receipt))
            case .number(let access), .side(let access): SQLValue(access.get(receipt))
            case .thumbs: .text(JSONColumns.text(of: receipt.thumbs))
            }
        }
    }

    /// Reads a receipt from the row's next columns; returns `nil` if they are NULL because the item has no receipt.
    static func receipt(from row: inout ResultRow) throws(LedgerError) -> Receipt? {
        // The state is the first field.
        guard let name = row.text() else { return nil }
        guard let state = Receipt.State(rawValue: name) else { throw row.damaged("unknown receipt state '\(name)'") }
        var receipt = Receipt(state)
        for field in fields.dropFirst() { try read(field, of: &receipt, from: &row) }
        return receipt
    }

    /// Reads the row's next column.
    private static func read(
        _ field: ReceiptField, of receipt: inout Receipt, from row: inout ResultRow
    ) throws(LedgerError) {
        switch field.value {
        case .text(let access): access.set(&receipt, row.text())
        case .number(let access): access.set(&receipt, try row.quantity())
        case .side(let access): access.set(&receipt, try row.side())
        case .object(let access):
            guard let text = row.text() else { return }
            access.set(&receipt, text)
            guard access.get(receipt) != nil else { throw row.damaged("a receipt has an invalid \(field.name)") }
        case .thumbs:
            guard let thumbs = JSONColumns.thumbs(in: row.text() ?? "") else {
                throw row.damaged("a receipt has an invalid list of thumbnails")
            }
            receipt.thumbs = thumbs
        }
    }
}

/// Converts lists to and from the JSON texts in ledger columns; thumbnails have the same format as in the manifest.
enum JSONColumns {
    static func text(of variants: [Variant]) -> String {
        var writer = JSONWriter()
        writer.array { list in
            for variant in variants { list.object { variant.write(to: &$0) } }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func variants(in text: String) -> [Variant]? {
        elements(in: text)?.map { Variant($0) }
    }

    static func text(of thumbs: [Thumb]) -> String {
        var writer = JSONWriter()
        writer.array { list in
            for thumb in thumbs { list.object { thumb.write(to: &$0) } }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func thumbs(in text: String) -> [Thumb]? {
        // Fast path for mirrors without thumbnails.
        text == "[]" ? [] : elements(in: text)?.map { Thumb($0) }
    }

    static func text(of arguments: [String]) -> String {
        var writer = JSONWriter()
        writer.array { list in for argument in arguments { list.value(argument) } }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func arguments(in text: String) -> [String]? {
        elements(in: text)?.compactMap(\.text)
    }

    private static func elements(in text: String) -> [JSON]? {
        (try? JSON(parsing: Array(text.utf8)))?.elements
    }
}

// SPDX-License-Identifier: MIT

package import SluiceModel

/// A change outside the ledger that one of its transactions requires.
///
/// It is recorded in the same transaction, and deleted after the change. If the command is killed in between, the next
/// one that opens the mirror for writing makes the change.
package enum Intention: Sendable, Hashable {
    /// A file leaves the mirror: the receipt of the item at this position no longer has it.
    case removeFile(StoredFile, of: Int)
    /// The manifest and the gallery, which may show removed files, are written again.
    case writeOutput
}

extension Ledger {
    /// Returns the intentions that no command has finished.
    package func intentions() throws(LedgerError) -> [Intention] {
        try connection.withLock { (connection) throws(LedgerError) in try connection.intentions.all() }
    }

    /// Deletes intentions after their changes, which survive a power failure.
    package func end(_ intentions: [Intention]) throws(LedgerError) {
        try write(intentions.map { .endedIntention($0) }, flushed: false)
    }

    /// Whether an item has a file again that it was to lose.
    package func keeps(_ file: StoredFile, of seq: Int) throws(LedgerError) -> Bool {
        try entry(at: seq)?.receipt?.files.contains { $0.path === file.path } ?? false
    }

    /// Records photos as skipped and without files; returns the intentions to remove these.
    package func withdraw(
        _ photos: [(entry: LedgerEntry, failure: Failure)]
    ) throws(LedgerError) -> [Intention] {
        var receipts: [(item: Item, receipt: Receipt)] = []
        var intentions: [Intention] = []
        for (entry, failure) in photos {
            guard var receipt = entry.receipt else { continue }
            intentions += receipt.files.map { .removeFile($0, of: entry.item.seq) }
            (receipt.state, receipt.failure) = (.skipped, failure)
            (receipt.original, receipt.sidecar, receipt.thumbs, receipt.stamp) = (nil, nil, [], nil)
            receipts.append((entry.item, receipt))
        }
        try record(receipts, intending: intentions)
        return intentions
    }
}

/// The prepared statements for intentions.
final class IntentionTable {
    private let insert: Statement
    private let delete: Statement
    private let select: Statement

    init(_ database: borrowing Database) {
        insert = Statement("INSERT OR IGNORE INTO intentions VALUES (?1, ?2, ?3)", of: database)
        delete = Statement("DELETE FROM intentions WHERE kind = ?1 AND seq = ?2 AND file = ?3", of: database)
        select = Statement("SELECT kind, seq, file FROM intentions ORDER BY seq, file", of: database)
    }

    /// Records an intention; one to remove a file includes that to write the output.
    func begin(_ intention: Intention) throws(LedgerError) {
        try insert.run(Self.values(of: intention))
        if intention != .writeOutput { try insert.run(Self.values(of: .writeOutput)) }
    }

    func end(_ intention: Intention) throws(LedgerError) { try delete.run(Self.values(of: intention)) }

    func all() throws(LedgerError) -> [Intention] {
        var found: [Intention] = []
        try select.forEach { (row) throws(LedgerError) in
            let (kind, seq, file) = (row.text(), try row.quantity() ?? 0, row.text().flatMap { StoredFile(json: $0) })
            switch (kind, file) {
            case ("remove", let file?): found.append(.removeFile(file, of: seq))
            case ("write", _): found.append(.writeOutput)
            default: throw row.damaged("an intention is invalid")
            }
        }
        return found
    }

    private static func values(of intention: Intention) -> [SQLValue] {
        switch intention {
        case .removeFile(let file, let seq): [.text("remove"), .integer(seq), .text(file.json)]
        case .writeOutput: [.text("write"), .integer(0), .text("")]
        }
    }
}

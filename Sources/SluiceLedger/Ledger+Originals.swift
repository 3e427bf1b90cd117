// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An original in the mirror, according to the ledger.
package struct Original: Sendable, Hashable {
    /// The item's position.
    package let seq: Int
    /// The path relative to the mirror.
    package let path: String
    /// The size in bytes.
    package let bytes: Int
    /// The SHA-256 of the content.
    package let sha256: String
}

extension Ledger {
    /// Returns the originals that share their content with another one, grouped by content and ordered by position.
    package func originalsWithSharedContent() throws(LedgerError) -> [Original] {
        try rows(
            """
            SELECT seq, file, bytes, sha256 FROM receipts
            WHERE file IS NOT NULL AND sha256 IN
                (SELECT sha256 FROM receipts WHERE file IS NOT NULL GROUP BY sha256 HAVING count(*) > 1)
            ORDER BY sha256, seq
            """
        ) { (row) throws(LedgerError) in
            Original(
                seq: try row.quantity() ?? 0, path: row.text() ?? "", bytes: try row.quantity() ?? 0,
                sha256: row.text() ?? "")
        }
    }

    /// Returns the path of another item's original with the same SHA-256.
    ///
    /// It is the newest one, because a file system limits the number of hard links to one file.
    package func path(ofContent sha256: String, besides seq: Int) throws(LedgerError) -> String? {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.receipts.path(ofContent: sha256, besides: seq)
        }
    }

    /// Returns the perceptual hash of the first original of each content.
    package func perceptualHashes() throws(LedgerError) -> [(seq: Int, hash: UInt64)] {
        try rows(
            "SELECT min(seq), phash FROM receipts WHERE file IS NOT NULL AND phash IS NOT NULL GROUP BY sha256"
        ) { row in (seq: row.integer() ?? 0, hash: UInt64(row.text() ?? "", radix: 16) ?? 0) }
    }
}

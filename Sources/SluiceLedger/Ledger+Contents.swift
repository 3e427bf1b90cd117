// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An original that stands, as far as the ledger tells.
public struct Original: Sendable, Hashable {
    /// The item's place.
    public let seq: Int
    /// The path below the mirror's folder.
    public let path: String
    /// The size.
    public let bytes: Int
    /// The SHA-256 of its content.
    public let sha256: String
    /// Where it is from.
    public let url: String?
}

// What the ledger knows of originals by their content.

extension Ledger {
    /// The originals whose content another has, too: those of one content together, in the order of their places.
    public func repeatedOriginals() throws(LedgerError) -> [Original] {
        try rows(
            """
            SELECT seq, file, bytes, sha256, coalesce(final_url, url) FROM receipts
            WHERE file IS NOT NULL AND sha256 IN
                (SELECT sha256 FROM receipts WHERE file IS NOT NULL GROUP BY sha256 HAVING count(*) > 1)
            ORDER BY sha256, seq
            """
        ) { row in
            Original(
                seq: row.integer() ?? 0, path: row.text() ?? "", bytes: row.integer() ?? 0, sha256: row.text() ?? "",
                url: row.text())
        }
    }

    /// An original with that SHA-256 of another item's: the newest, for one file may not have names without end.
    public func path(ofContent sha256: String, besides seq: Int) throws(LedgerError) -> String? {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.receipts.path(ofContent: sha256, besides: seq)
        }
    }

    /// The perceptual hash of the first original of each content.
    public func perceptualHashes() throws(LedgerError) -> [(seq: Int, hash: UInt64)] {
        try rows(
            "SELECT min(seq), phash FROM receipts WHERE file IS NOT NULL AND phash IS NOT NULL GROUP BY sha256"
        ) { row in (seq: row.integer() ?? 0, hash: UInt64(row.text() ?? "", radix: 16) ?? 0) }
    }
}

// SPDX-License-Identifier: MIT

/// Why the ledger could not be opened, read or written, as one sentence that names the file.
public struct LedgerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it is.
    public enum Code: Sendable, Hashable {
        /// The file is something else than a ledger of Sluice's, or too broken to be known for one.
        case notALedger
        /// A newer Sluice made it.
        case tooNew
        /// Its content contradicts itself.
        case damaged
        /// The disk is full.
        case diskFull
        /// The disk or its rights: unreadable, read-only, no such folder.
        case disk
        /// Another program holds the file.
        case busy
        /// A mistake of ours.
        case `internal`
    }

    /// The kind.
    public var code: Code
    /// SQLite's own extended result number; 0 where it was Sluice that refused.
    public var number: Int32
    /// SQLite's own words, or ours.
    public var reason: String
    /// The file.
    public var path: String

    /// The file, what is wrong with it, and what to do where there is something to do.
    public var description: String {
        switch code {
        case .notALedger: "\(path) is not a ledger of Sluice's, or is damaged beyond recognition (\(reason))"
        case .tooNew: "\(path) was made by a newer Sluice (\(reason)); use that one"
        case .damaged:
            "the ledger \(path) is damaged (\(reason))"
        case .diskFull: "the disk is full, or a quota: the ledger \(path) cannot grow"
        case .disk: "the ledger \(path) cannot be used: \(reason)"
        case .busy: "another program holds the ledger \(path) (\(reason))"
        case .internal: "the ledger \(path) was used wrongly (\(reason)); please report this"
        }
    }
}

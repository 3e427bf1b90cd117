// SPDX-License-Identifier: MIT

/// An error from opening, reading or writing the ledger; the description names the file.
public struct LedgerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Sendable, Hashable {
        /// The file is not a Sluice ledger, or is damaged beyond recognition.
        case notALedger
        /// A newer version of Sluice created the ledger.
        case tooNew
        /// The content is inconsistent.
        case damaged
        /// The disk is full.
        case diskFull
        /// A disk or permission error: unreadable, read-only, or a missing folder.
        case disk
        /// Another program has locked the file.
        case busy
        /// A bug in Sluice.
        case `internal`
    }

    /// The kind of error.
    public var code: Code
    /// SQLite's extended result code; 0 for errors detected by Sluice.
    public var number: Int32
    /// The message from SQLite or from Sluice.
    public var reason: String
    /// The ledger's path.
    public var path: String

    /// A sentence that names the file, the problem and, if possible, a solution.
    public var description: String {
        switch code {
        case .notALedger: "cannot open ledger \(path): not a Sluice ledger, or damaged beyond recognition (\(reason))"
        case .tooNew: "cannot open ledger \(path): it requires a newer version of Sluice (\(reason))"
        case .damaged: "cannot use ledger \(path): it is damaged (\(reason))"
        case .diskFull: "cannot write ledger \(path): the disk is full or the quota is exceeded"
        case .disk: "cannot use ledger \(path): \(reason)"
        case .busy: "cannot use ledger \(path): another program has locked it (\(reason))"
        case .internal: "cannot use ledger \(path): internal error (\(reason)); please report this"
        }
    }
}

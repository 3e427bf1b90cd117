// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The ledger's connection for as long as it is open, for one thread at a time.
///
/// It is held across SQLite's calls: the disk is what everybody waits for anyway.
final class OpenConnection: Sendable {
    private let connection: Locked<Connection?>
    private let path: String

    init(_ path: String, access: Database.Access = .writing) throws(LedgerError) {
        self.path = path
        connection = Locked(try Connection(path, access: access))
    }

    /// Runs `body` with the connection, alone.
    func withLock<Result>(
        _ body: (Connection) throws(LedgerError) -> sending Result
    ) throws(LedgerError) -> sending Result {
        try connection.withLock { [path] (connection) throws(LedgerError) in
            guard let connection else {
                throw LedgerError(code: .internal, number: 0, reason: "it is closed", path: path)
            }
            return try body(connection)
        }
    }

    /// Closes it, whoever still knows the ledger: SQLite then clears away what lay beside the file.
    func close() {
        connection.withLock { $0 = nil }
    }
}

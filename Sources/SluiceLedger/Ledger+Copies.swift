// SPDX-License-Identifier: MIT

internal import CSQLite
package import SluiceFiles
internal import SluiceModel

// Copies of the ledger for another machine.

extension Ledger {
    /// A number that grows with each change by this process.
    package func changeCount() throws(LedgerError) -> Int {
        try connection.withLock { (connection) throws(LedgerError) in connection.database.changeCount }
    }

    /// Writes a copy of the mirror's ledger in its present state to a new file, while others may write to the ledger.
    package static func copy(from folder: Folder, to name: String) throws(LedgerError) {
        let path: String
        do throws(FileError) {
            try folder.remove(name)
            path = try folder.resolvedPath()
        } catch {
            throw LedgerError(code: .disk, number: 0, reason: error.description, path: folder.fullPath(of: Self.name))
        }
        // A connection of its own does not block the run's.
        let database = try Database("\(path)/\(Self.name)", access: .writing)
        try database.execute("VACUUM INTO '\("\(path)/\(name)".replacing("'", with: "''"))'")
    }

    /// Replaces the mirror's ledger, which must be closed, by a staged copy.
    package static func replace(in folder: Folder, by copy: StagedFile) throws(FileError) {
        // The log of another database would damage the copy.
        for suffix in ["-wal", "-shm"] { try folder.remove(Self.name + suffix) }
        try folder.moveIntoPlace(copy)
        try folder.flushNames(of: [copy.name])
    }
}

extension Database {
    /// The number of rows that this connection has changed.
    fileprivate var changeCount: Int { Int(unsafe sqlite3_total_changes(handle)) }
}

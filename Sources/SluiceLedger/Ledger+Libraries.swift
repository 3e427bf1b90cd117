// SPDX-License-Identifier: MIT

internal import CSQLite
public import SluiceModel

extension Ledger {
    /// The library that keeps the ledger.
    public static var libraries: [LibraryVersion] {
        [LibraryVersion("SQLite", unsafe String(cString: sqlite3_libversion()))]
    }
}

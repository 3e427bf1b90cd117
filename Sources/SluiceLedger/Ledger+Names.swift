// SPDX-License-Identifier: MIT

public import SluiceModel

extension Ledger {
    /// The item's name, without an extension: the one that it was given, once and for good.
    ///
    /// In a mirror of an older Sluice it is the one that its files have.
    public func name(of item: Item) throws(LedgerError) -> String {
        try connection.withLock { (connection) throws(LedgerError) in
            if let name = try connection.names.name(of: item.seq) { return name }
            return try Self.name(in: connection.claim(item.seq)?.receipt) ?? FileStem(for: item).description
        }
    }

    /// The name that the files of a mirror's receipt have; `nil` where there are none.
    static func name(in receipt: Receipt?) -> String? {
        if let path = receipt?.original?.path { return stem(of: path, behind: 1) }
        guard let path = receipt?.thumbs.first?.file.path, path.hasPrefix("thumbs/") else { return nil }
        return stem(of: path, behind: 2)
    }

    /// The path behind so many folders, without its extension.
    private static func stem(of path: String, behind folders: Int) -> String {
        let parts = path.split(separator: "/").dropFirst(folders).joined(separator: "/")
        return String(parts[..<(parts.lastIndex(of: ".") ?? parts.endIndex)])
    }
}

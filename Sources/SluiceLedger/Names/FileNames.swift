// SPDX-License-Identifier: MIT

package import SluiceModel

/// Assigns file names to new items as an empty ledger does, without a ledger.
///
/// It keeps about 16 bytes per item in memory, and nothing for the default template, whose names differ by position.
package struct FileNames: Sendable {
    private let template: NameTemplate
    private var taken: Set<Int> = []

    /// Creates names from a template.
    package init(_ template: NameTemplate) { self.template = template }

    /// Whether a name is one that this type may return for some template and item: each component is a ``SafeName``.
    package static func isSafe(_ name: String) -> Bool { SafeName.consists(path: name) }

    /// Whether all names are ``FileStem``s, which depend on their items only.
    package var areStems: Bool { template == .standard }

    /// Reserves the name of an item that has one, so that no other item gets it.
    package mutating func reserve(_ name: String) {
        if !areStems { taken.insert(SafeName.key(of: name)) }
    }

    /// Returns the name of the next item, without an extension; `nil` if all candidates are taken.
    package mutating func name(for item: Item) -> String? {
        if areStems { return template.name(of: item) }
        return template.candidates(for: item).first { taken.insert(SafeName.key(of: $0)).inserted }
    }
}

/// The prepared statements for the permanent file names of items, which are unique on every file system.
final class FileNameTable {
    private let find: Statement
    private let insert: Statement

    init(_ database: borrowing Database) {
        find = Statement("SELECT name FROM names WHERE seq = ?1", of: database)
        insert = Statement("INSERT OR IGNORE INTO names VALUES (?1, ?2, ?3)", of: database)
    }

    /// Returns the item's name; `nil` if it has none.
    func name(of seq: Int) throws(LedgerError) -> String? {
        try find.first([.integer(seq)]) { row in row.text() }.flatMap { $0 }
    }

    /// Assigns a name to a new item: the template's name, with a short hash appended if it is taken.
    func assignName(to item: Item, by template: NameTemplate) throws(LedgerError) -> String? {
        for candidate in template.candidates(for: item) where try reserve(candidate, for: item.seq) {
            return candidate
        }
        return nil
    }

    /// Records an item's name; returns false if another item has it.
    @discardableResult
    func reserve(_ name: String, for seq: Int) throws(LedgerError) -> Bool {
        let values = [SQLValue.integer(seq), .text(name), .integer(SafeName.key(of: name))]
        try insert.run(values)
        return insert.lastCount > 0
    }
}

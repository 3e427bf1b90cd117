// SPDX-License-Identifier: MIT

package import SluiceModel

/// Assigns file names to new items as an empty ledger does, without a ledger.
///
/// It keeps about 16 bytes per item in memory, and nothing for the default template, whose names differ by position.
package struct FileNames: Sendable {
    private let template: NameTemplate
    private var taken: Set<Int> = []

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

/// The default file name of an item, without the extension: `00012-a-lake-at-dawn`.
///
/// The item's position makes it unique within the mirror, and the caption makes it readable. It contains only `a-z`,
/// `0-9` and `-`, so it is safe on every file system. The first 4999 items are in one folder. Later items are in one
/// folder per thousand (`05000/05012-a-lake`), and from a million on also in one folder per million. The content
/// determines the extension.
package struct FileStem: Sendable, Hashable, CustomStringConvertible {
    /// The first position in a subfolder; the items before it are few enough for every tool to list quickly.
    private static let firstInFolder = 5000
    /// Enough bytes for the names of the first hundred million items.
    private static let usualLength = 2 * 10 + 9 + Slug.limit

    package let description: String

    /// Creates the name from the item's caption, or from its id if the caption has no usable words.
    package init(for item: Item) { self.init(at: item.seq, of: item.photo) }

    package init(at seq: Int, of photo: Photo) {
        // Each photo has a name, and there may be millions of photos, so the parts are bytes and not strings.
        var name: [UInt8] = []
        name.reserveCapacity(Self.usualLength)
        if seq >= Self.firstInFolder {
            let million = seq / 1_000_000 * 1_000_000
            if million > 0 { name.append(number: million, terminator: "/") }
            name.append(number: seq / 1000 * 1000, terminator: "/")
        }
        name.append(number: seq, terminator: "-")
        name += Self.slug(of: photo).bytes
        description = String(decoding: name, as: UTF8.self)
    }

    /// Returns the readable part of the name.
    static func slug(of photo: Photo) -> Slug { photo.caption.flatMap { Slug($0) } ?? Slug(photo.id) ?? .fallback }
}

extension [UInt8] {
    /// Appends at least five digits and the terminator.
    fileprivate mutating func append(number: Int, terminator: Unicode.Scalar) {
        let digits = String(number).utf8
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, 5 - digits.count)))
        append(contentsOf: digits)
        append(UInt8(ascii: terminator))
    }
}

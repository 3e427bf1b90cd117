// SPDX-License-Identifier: MIT

/// A column of a list that photos have besides their facts.
package struct ListedColumn: Sendable, Hashable {
    /// The type of all values of the column.
    package enum Kind: String, Sendable, Hashable {
        /// Texts, lists, or values of several types.
        case text
        case integer, decimal, flag
    }

    /// Texts that are numbers in a column with other numbers.
    package static let infinities = ["inf", "-inf", "Infinity", "-Infinity"]

    /// The largest number of columns that a dataset gets.
    package static let limit = 1000

    /// The name in the list.
    package let name: String
    package let kind: Kind

    package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// Reads a column of a plan.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.text, let kind = json["type"]?.text.flatMap(Kind.init) else { return nil }
        self.init(name: name, kind: kind)
    }

    package func write(to object: inout JSONWriter) {
        object.member("name", name)
        object.member("type", kind.rawValue)
    }
}

/// Finds the columns of photos' lists and their types, as `Ledger.listedColumns()` does.
package struct ListedColumns: Sendable {
    private struct Kinds: OptionSet {
        let rawValue: Int
        static let flag = Kinds(rawValue: 1)
        static let integer = Kinds(rawValue: 2)
        static let decimal = Kinds(rawValue: 4)
        static let text = Kinds(rawValue: 8)
        static let infinity = Kinds(rawValue: 16)

        var kind: ListedColumn.Kind {
            if contains(.text) || contains(.flag) && self != .flag || self == .infinity { return .text }
            return contains(.flag) ? .flag : isDisjoint(with: [.decimal, .infinity]) ? .integer : .decimal
        }
    }

    private var columns: [(name: String, kinds: Kinds)] = []
    private var positions: TextMap<Int> = [:]

    package init() {}

    /// The columns in the order in which they appear.
    package var all: [ListedColumn] { columns.map { ListedColumn(name: $0.name, kind: $0.kinds.kind) } }

    /// Adds the columns of a photo: a JSON object as text.
    package mutating func add(_ text: String) {
        guard case .object(let members)? = try? JSON(parsing: Array(text.utf8)) else { return }
        for member in members { add(member.name, Self.kinds(of: member.value)) }
    }

    /// Adds the columns of later photos.
    package mutating func add(_ later: ListedColumns) {
        for column in later.columns { add(column.name, column.kinds) }
    }

    private mutating func add(_ name: String, _ kinds: Kinds) {
        if let position = positions[name] {
            columns[position].kinds.formUnion(kinds)
        } else if columns.count < ListedColumn.limit {
            positions[name] = columns.count
            columns.append((name, kinds))
        }
    }

    private static func kinds(of value: JSON) -> Kinds {
        switch value {
        case .bool: .flag
        case .number(let text): text.utf8.allSatisfy { $0 < 0x3A && $0 != 0x2E } ? .integer : .decimal
        case .string(let text) where ListedColumn.infinities.contains(text): .infinity
        case .null, .string, .array, .object: .text
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceSystem

/// A set of texts that are distinguished by their bytes, see ``ExactText``.
package struct TextSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var texts: Set<ExactText>

    package init(_ texts: some Sequence<String>) { self.texts = Set<ExactText>(texts.lazy.map(ExactText.init)) }

    package init(arrayLiteral texts: String...) { self.init(texts) }

    package var count: Int { texts.count }
    package var isEmpty: Bool { texts.isEmpty }

    package func contains(_ text: String) -> Bool { texts.contains(ExactText(text)) }

    /// Adds a text; returns whether it is new.
    @discardableResult
    package mutating func insert(_ text: String) -> Bool { texts.insert(ExactText(text)).inserted }

    /// Adds all texts of another set.
    package mutating func formUnion(_ others: TextSet) { texts.formUnion(others.texts) }

    package mutating func remove(_ text: String) { texts.remove(ExactText(text)) }

    /// Whether none of the texts is in the set.
    package func isDisjoint(with others: some Sequence<String>) -> Bool { !others.contains(where: contains) }

    /// The texts in the order of their bytes.
    package func sorted() -> [String] { texts.sorted().map(\.text) }
}

/// A dictionary whose keys are texts that are distinguished by their bytes, see ``ExactText``.
package struct TextMap<Value>: ExpressibleByDictionaryLiteral {
    @usableFromInline package var entries: [ExactText: Value]

    @inlinable package init() { entries = [:] }

    @inlinable
    package init(dictionaryLiteral entries: (String, Value)...) { self.init(entries) }

    /// Creates a dictionary; of several values with one key, the first remains.
    @inlinable
    package init(_ pairs: some Sequence<(String, Value)>) {
        entries = [:]
        for (key, value) in pairs where entries[ExactText(key)] == nil { entries[ExactText(key)] = value }
    }

    @inlinable package var count: Int { entries.count }
    @inlinable package var isEmpty: Bool { entries.isEmpty }
    @inlinable package var values: Dictionary<ExactText, Value>.Values { entries.values }
    /// The keys in the order of their bytes.
    @inlinable package var sortedKeys: [String] { entries.keys.sorted().map(\.text) }

    @inlinable
    package subscript(key: String) -> Value? {
        get { entries[ExactText(key)] }
        _modify { yield &entries[ExactText(key)] }
    }

    @inlinable
    package subscript(key: String, default value: @autoclosure () -> Value) -> Value {
        get { entries[ExactText(key), default: value()] }
        _modify { yield &entries[ExactText(key), default: value()] }
    }

    /// Removes a value and returns it.
    @discardableResult @inlinable
    package mutating func removeValue(forKey key: String) -> Value? { entries.removeValue(forKey: ExactText(key)) }
}

extension TextMap: Sequence {
    @inlinable
    package func makeIterator() -> LazyMapSequence<[ExactText: Value], (key: String, value: Value)>.Iterator {
        entries.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
    }
}

extension TextMap: Sendable where Value: Sendable {}
extension TextMap: Equatable where Value: Equatable {}
extension TextMap: Hashable where Value: Hashable {}

/// A text that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift compares texts by their meaning: `é` equals `e` with a combining accent. Servers, buckets and file systems
/// treat these as two names. So text from outside (addresses, keys, names of files, ids) is compared with `===`, and is
/// a key of ``TextSet`` and ``TextMap`` only. `TextComparisonTests` enforces that.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text === right.text }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // As in Swift's own texts, so that a list of texts has no second reading.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether both texts have the same bytes; Unicode's equivalent forms differ.
    package static func === (left: String, right: String) -> Bool {
        var (left, right) = (left, right)
        guard left.utf8.count == right.utf8.count else { return false }
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return left.isEmpty }
                return unsafe memcmp(first, second, left.count) == 0
            }
        }
    }

    /// Whether the texts have different bytes.
    package static func !== (left: String, right: String) -> Bool { !(left === right) }
}

extension String? {
    /// Whether both texts have the same bytes, or both are missing.
    package static func === (left: String?, right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left === right
    }

    /// Whether the texts have different bytes, or one is missing.
    package static func !== (left: String?, right: String?) -> Bool { !(left === right) }
}

extension Sequence<String> {
    /// The texts in the order of their UTF-8 bytes, which is the same for every language and release of Unicode.
    package func sortedByBytes() -> [String] { sorted { ExactText($0) < ExactText($1) } }
}

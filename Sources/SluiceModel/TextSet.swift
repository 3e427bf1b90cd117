// SPDX-License-Identifier: MIT

/// A set of texts that are distinguished by their bytes, see ``ExactText``.
package struct TextSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var texts: Set<ExactText>

    /// Creates a set of the texts.
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

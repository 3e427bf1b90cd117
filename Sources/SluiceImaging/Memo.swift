// SPDX-License-Identifier: MIT

internal import Synchronization

/// What was found so far, by what it was found for: finding it takes longer than using it, and a run meets few kinds.
///
/// A list that only grows, so that any number of threads read it without a lock; what is found when it is full is used
/// once and forgotten.
final class Memo<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private final class Entry: Sendable {
        let key: Key
        let value: Value
        let next = AtomicLazyReference<Entry>()

        init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    private let mostEntries: Int
    private let first = AtomicLazyReference<Entry>()

    /// Makes one that remembers so much.
    init(most: Int) { mostEntries = most }

    /// The value for a key, found now or before.
    func value(for key: Key, find: () -> Value) -> Value {
        var last: Entry?
        var count = 0
        var entry = first.load()
        while let known = entry {
            if known.key == key { return known.value }
            last = known
            count += 1
            entry = known.next.load()
        }
        let value = find()
        if count < mostEntries {
            let found = Entry(key, value)
            // If another thread was faster, this one's find is used once; the next call finds room behind.
            _ = last?.next.storeIfNil(found) ?? first.storeIfNil(found)
        }
        return value
    }
}

// SPDX-License-Identifier: MIT

internal import Synchronization

/// A cache that any number of threads read without a lock.
///
/// It suits few distinct keys whose values take longer to compute than to look up. It is a linked list that only grows.
/// A value computed while the cache is full is returned but not stored.
final class InsertOnlyCache<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private final class Entry: Sendable {
        let key: Key
        let value: Value
        let next = AtomicLazyReference<Entry>()

        init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    private let maxEntries: Int
    private let first = AtomicLazyReference<Entry>()

    /// Creates a cache for at most `capacity` entries.
    init(capacity: Int) { maxEntries = capacity }

    /// Returns the cached value for a key, or computes it and caches it if there is room.
    func value(for key: Key, compute: () -> Value) -> Value {
        var last: Entry?
        var count = 0
        var entry = first.load()
        while let current = entry {
            if current.key == key { return current.value }
            last = current
            count += 1
            entry = current.next.load()
        }
        let value = compute()
        if count < maxEntries {
            let added = Entry(key, value)
            // If another thread appended first, this value is not cached; the next call can still append.
            _ = last?.next.storeIfNil(added) ?? first.storeIfNil(added)
        }
        return value
    }
}

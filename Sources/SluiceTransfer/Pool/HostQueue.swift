// SPDX-License-Identifier: MIT

/// The items that wait for a host, and the number of its slots that are in use.
struct HostQueue {
    /// The order of items within a host's queue; it has no effect between hosts.
    enum Rank: Int, Comparable {
        case low, normal, high
        /// The item has started before; it goes first, because it holds partial work.
        case started

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    typealias Entry = (id: Int, rank: Rank)

    private var entries: [Entry] = []
    var running = 0
    /// The number of items that may run.
    private(set) var limit: Int

    init(limit: Int) { self.limit = limit }

    /// Doubles the number of items that may run, up to `maximum`.
    mutating func widen(upTo maximum: Int) { limit = min(2 * limit, maximum) }

    /// Reduces the number of items that may run.
    mutating func narrow(to maximum: Int) { limit = min(limit, maximum) }

    /// The next item.
    var first: Entry? { entries.first }
    var isEmpty: Bool { entries.isEmpty }

    /// Adds an item after all items of the same or a higher rank.
    mutating func add(_ id: Int, _ rank: Rank) {
        let index = entries.lastIndex { $0.rank >= rank }.map { $0 + 1 } ?? 0
        entries.insert((id, rank), at: index)
    }

    mutating func removeFirst() { entries.removeFirst() }

    /// Removes an item and returns its rank.
    mutating func remove(_ id: Int) -> Rank? {
        entries.firstIndex { $0.id == id }.map { entries.remove(at: $0).rank }
    }

    /// Removes and returns all items.
    mutating func removeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }
}

// SPDX-License-Identifier: MIT

/// Who waits for a host, and how many of its slots are taken.
struct HostLine {
    /// Who goes before whom in a host's line; between hosts it counts for nothing.
    enum Rank: Int, Comparable {
        case low, normal, high
        /// It ran before, and others wait for what it has begun.
        case begun

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    typealias Place = (id: Int, rank: Rank)

    private var places: [Place] = []
    var running = 0

    /// Who is next.
    var first: Place? { places.first }
    var isEmpty: Bool { places.isEmpty }

    /// Lines up behind everybody of the same rank.
    mutating func add(_ id: Int, _ rank: Rank) {
        let index = places.lastIndex { $0.rank >= rank }.map { $0 + 1 } ?? 0
        places.insert((id, rank), at: index)
    }

    mutating func removeFirst() { places.removeFirst() }

    /// Leaves the line; returns the rank that it had there.
    mutating func remove(_ id: Int) -> Rank? {
        places.firstIndex { $0.id == id }.map { places.remove(at: $0).rank }
    }

    /// Lets everybody go.
    mutating func removeAll() -> [Place] {
        defer { places = [] }
        return places
    }
}

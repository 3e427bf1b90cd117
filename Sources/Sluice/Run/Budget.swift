// SPDX-License-Identifier: MIT

/// Shares out a bounded amount of something in the order in which it is asked for: a pure state machine.
///
/// Nobody overtakes: whoever wants much waits until enough has come back, and those behind wait with it. If small wants
/// went first, a large one might wait for ever.
struct Budget {
    typealias ID = Int

    /// How much there is in all.
    let total: Int
    private(set) var free: Int
    private var line: [(id: ID, amount: Int)] = []

    init(_ total: Int) {
        precondition(total > 0, "there is something to share")
        self.total = total
        free = total
    }

    /// Puts a want at the end of the line; returns whoever has theirs now.
    mutating func ask(_ id: ID, for amount: Int) -> [ID] {
        precondition((0...total).contains(amount), "what is wanted can be had")
        line.append((id, amount))
        return serve()
    }

    /// Takes back what somebody had; returns whoever has theirs now.
    mutating func takeBack(_ amount: Int) -> [ID] {
        free += amount
        precondition(free <= total, "no more comes back than was given")
        return serve()
    }

    /// Takes a want out of the line; returns whoever has theirs now, or `nil` if it was not in line any more.
    mutating func leave(_ id: ID) -> [ID]? {
        guard let place = line.firstIndex(where: { $0.id == id }) else { return nil }
        line.remove(at: place)
        return serve()
    }

    private mutating func serve() -> [ID] {
        let served = line.prefix { want in
            guard want.amount <= free else { return false }
            free -= want.amount
            return true
        }
        line.removeFirst(served.count)
        return served.map(\.id)
    }
}

// SPDX-License-Identifier: MIT

/// The state of a ``WeightedSemaphore``: grants amounts of a limited resource in the order of the requests.
///
/// A request never overtakes an earlier one. Otherwise, a stream of small requests could block a large one forever.
struct SemaphoreQueue {
    typealias ID = Int

    let total: Int
    private(set) var available: Int
    private var requests: [(id: ID, amount: Int)] = []

    init(_ total: Int) {
        precondition(total > 0, "the total is positive")
        self.total = total
        available = total
    }

    /// Appends a request.
    ///
    /// Returns the requests that are granted now.
    mutating func request(_ id: ID, amount: Int) -> [ID] {
        precondition((0...total).contains(amount), "a request is at most the total")
        requests.append((id, amount))
        return grant()
    }

    /// Takes back a granted amount.
    ///
    /// Returns the requests that are granted now.
    mutating func release(_ amount: Int) -> [ID] {
        available += amount
        precondition(available <= total, "no more is released than was granted")
        return grant()
    }

    /// Removes a waiting request.
    ///
    /// Returns the requests that are granted now, or `nil` if it was not waiting any more.
    mutating func cancel(_ id: ID) -> [ID]? {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
        requests.remove(at: index)
        return grant()
    }

    private mutating func grant() -> [ID] {
        let granted = requests.prefix { request in
            guard request.amount <= available else { return false }
            available -= request.amount
            return true
        }
        requests.removeFirst(granted.count)
        return granted.map(\.id)
    }
}

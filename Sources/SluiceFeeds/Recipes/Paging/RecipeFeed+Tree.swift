// SPDX-License-Identifier: MIT

internal import SluiceModel

// Services whose listings have further listings in them: they are walked one by one, the nearest first.

extension RecipeFeed {
    /// No cursor has more addresses.
    private static let mostPending = 1000

    /// The way on from a listing: into those that it names and that were not walked yet, then to what is left.
    func branch(behind address: String, _ reply: RecipeClient.Reply, pending: [String]) throws(Failure) -> Cursor? {
        var branches: [String] = []
        for link in (paging.path?.values(in: reply.json) ?? []).compactMap(\.text) {
            if let next = try own(link, in: reply), !branches.contains(next), !pending.contains(next) {
                branches.append(next)
            }
            guard branches.count + pending.count <= Self.mostPending else {
                throw Failure(.feedParse, "more than \(Self.mostPending) listings are named and not walked yet")
            }
        }
        let new = visited.withLock { visited in
            visited.insert(address)
            return branches.filter { !visited.contains($0) }
        }
        let rest = new + pending
        return rest.isEmpty ? nil : Cursor(rawValue: rest.joined(separator: "\n"))
    }
}

// SPDX-License-Identifier: MIT

package import SluiceModel

/// An item whose position and file name a plan has assigned.
package struct PlannedItem: Sendable, Hashable {
    package var item: Item
    /// The file name, without an extension; `nil` if the item gets none.
    package var name: String?

    package init(_ item: Item, name: String?) { (self.item, self.name) = (item, name) }
}

extension Ledger {
    /// Claims planned items at their positions; new ones are inserted with their names.
    ///
    /// Throws if another photo has one of the positions or names.
    package func claim(_ planned: [PlannedItem], in run: LedgerRun) throws(LedgerError) -> [Claim] {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                var claims: [Claim] = []
                claims.reserveCapacity(planned.count)
                for new in planned { claims.append(try connection.claim(new, in: run)) }
                return claims
            }
        }
    }
}

extension LedgerConnection {
    fileprivate func claim(_ planned: PlannedItem, in run: LedgerRun) throws(LedgerError) -> Claim {
        let item = planned.item
        guard let known = try claim(item.seq) else {
            try items.restore(item, in: run)
            if let name = planned.name, try !fileNames.reserve(name, for: item.seq) { throw conflict(at: item) }
            var claim = Claim(item)
            claim.name = planned.name
            return claim
        }
        let photo = known.item.photo
        let name = try fileNames.name(of: item.seq)
        guard known.item.feed === item.feed, photo.id === item.photo.id, photo.collection === item.photo.collection,
            name === planned.name
        else { throw conflict(at: item) }
        // The plan also has the facts that a ledger does not store, such as expected checksums.
        var claim = Claim(item, crashes: known.crashes, isInDoubt: known.isInDoubt, receipt: known.receipt)
        claim.name = planned.name
        return claim
    }

    private func conflict(at item: Item) -> LedgerError {
        LedgerError(
            code: .damaged, number: 0, reason: "another photo has position \(item.seq) or its file name",
            path: database.path)
    }
}

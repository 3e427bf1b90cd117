// SPDX-License-Identifier: MIT

public import SluiceModel

extension Ledger {
    /// The item in that place, with its receipt; `nil` if the mirror has none there.
    public func entry(at seq: Int) throws(LedgerError) -> Entry? {
        try entries(after: seq - 1, limit: 1).first.flatMap { $0.item.seq == seq ? $0 : nil }
    }
}

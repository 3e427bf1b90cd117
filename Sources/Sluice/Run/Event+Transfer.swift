// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

extension Event {
    /// What happened in the transfer of an item.
    init(_ event: TransferEvent, of item: Item) {
        switch event {
        case .retried(let attempt, let failure, let delay):
            self = .itemRetried(item, attempt: attempt, failure, delay: delay)
        case .progressed(let bytes, let total): self = .itemProgressed(item, bytes: bytes, total: total)
        case .hostPaused(let host, let duration, let failure): self = .hostPaused(host, duration, failure)
        case .hostGivenUp(let host, let failure): self = .hostGivenUp(host, failure)
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Remembers which item of a run has the original of each address.
///
/// Several sources may list one address as different photos, for example a list and a web page. The first one
/// downloads it, and the others wait for its commit and copy its file. Downloads that merely overlap are combined by
/// ``Transfers``, which does not know files that are committed.
package final class OriginalsByAddress: Sendable {
    /// What an item does about its address.
    enum Role: Hashable {
        case download
        /// Copy the original of the item at this position.
        case copy(of: Int)
    }

    private struct Entry {
        /// The position of the item that downloads the address or has its original.
        var item: Int
        var isStored = false
        var waiters: [@Sendable () -> Void] = []
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        /// The keys of the items that download.
        var keys: [Int: Int] = [:]
    }

    /// The number of addresses that are remembered, which bounds memory to some 15 MB; later ones are not shared.
    private static let capacity = 1 << 18

    private let state = Locked(State())

    package init() {}

    /// Returns the role of an item; waits while another item downloads the address.
    func role(of item: Int, at address: String, slot: WorkPool.Slot) async throws(Failure) -> Role {
        let key = Fingerprint(address).value
        while true {
            if let role = join(item, key) { return role }
            try await slot.wait { [self] wake in onEnd(of: key, wake) }
        }
    }

    /// Remembers an item that an earlier run did.
    func addKept(_ item: Int, at address: String) {
        let key = Fingerprint(address).value
        state.withLock { state in
            guard state.entries[key] == nil, state.entries.count < Self.capacity else { return }
            state.entries[key] = Entry(item: item, isStored: true)
        }
    }

    /// Ends an item after its commit; if it has no original, one of those that wait for it downloads the address.
    func end(_ item: Int, isStored: Bool) {
        let waiters = state.withLock { state -> [@Sendable () -> Void] in
            guard let key = state.keys.removeValue(forKey: item), let entry = state.entries[key] else { return [] }
            state.entries[key] = isStored ? Entry(item: item, isStored: true) : nil
            return entry.waiters
        }
        for wake in waiters { wake() }
    }

    /// Returns the role of an item; `nil` if it has to wait.
    private func join(_ item: Int, _ key: Int) -> Role? {
        state.withLock { state in
            if let entry = state.entries[key] {
                if entry.item == item { return .download }
                return entry.isStored ? .copy(of: entry.item) : nil
            }
            if state.entries.count < Self.capacity {
                state.entries[key] = Entry(item: item)
                state.keys[item] = key
            }
            return .download
        }
    }

    /// Calls `wake` when the item that downloads the address has ended, or at once if it has.
    private func onEnd(of key: Int, _ wake: @escaping @Sendable () -> Void) {
        let isWaiting = state.withLock { state in
            guard state.entries[key]?.isStored == false else { return false }
            state.entries[key]?.waiters.append(wake)
            return true
        }
        if !isWaiting { wake() }
    }
}

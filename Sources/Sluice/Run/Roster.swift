// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The items that are on their way: who can be called off, and who has ended already.
final class Roster: Sendable {
    /// An item's entry, for as long as it is on its way.
    final class Ticket: Sendable {
        private struct State {
            var cancel: (@Sendable (Cause) -> Void)?
            var cause: Cause?
            var isOver = false
        }

        private let state = Locked(State())

        /// Says how the item is called off; at once, if somebody wanted that before.
        func becomeCancellable(_ cancel: @escaping @Sendable (Cause) -> Void) {
            let cause = state.withLock { state in
                state.cancel = cancel
                return state.cause
            }
            if let cause { cancel(cause) }
        }

        fileprivate func cancel(_ cause: Cause) {
            let cancel = state.withLock { state in
                state.cause = state.cause ?? cause
                return state.cancel
            }
            cancel?(cause)
        }

        fileprivate func end() -> Bool {
            state.withLock { state in
                defer { (state.isOver, state.cancel) = (true, nil) }
                return !state.isOver
            }
        }
    }

    private let tickets = Locked<[Int: Ticket]>([:])

    /// Puts an item on the roster.
    func enter(_ item: Item) -> Ticket {
        let ticket = Ticket()
        tickets.withLock { $0[item.seq] = ticket }
        return ticket
    }

    /// Takes an item off the roster; false if it has ended before.
    func leave(_ item: Item, _ ticket: Ticket) -> Bool {
        tickets.withLock { if $0[item.seq] === ticket { $0[item.seq] = nil } }
        return ticket.end()
    }

    /// Calls an item off; false if it is not on its way.
    func cancel(_ seq: Int) -> Bool {
        guard let ticket = tickets.withLock({ $0[seq] }) else { return false }
        ticket.cancel(.cancelled)
        return true
    }
}

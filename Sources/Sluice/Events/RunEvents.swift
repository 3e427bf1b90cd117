// SPDX-License-Identifier: MIT

public import SluiceModel

/// A run's events, to be read one after the other in ``Event``'s order; it ends behind ``Event/runFinished(_:)``.
///
/// Nobody waits for its reader. One that falls behind by more than 4,096 events misses progress, starts, retries, notes,
/// pauses and pages, and has the ends from there on in short: see `Documentation/events.md`. It has one reader.
public struct RunEvents: AsyncSequence, Sendable {
    let subscription: EventSubscription

    /// Reads one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: EventSubscription

        /// The next event, once there is one; `nil` behind the last, and when the reader's task is cancelled.
        public func next() async -> Event? { await subscription.next() }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }
}

/// One reader's events, and the reader while it waits.
final class EventSubscription: Sendable {
    private struct State {
        var queue = EventQueue()
        var isOver = false
        var reader: CheckedContinuation<Event?, Never>?
    }

    private let state = Locked(State())

    /// Hands an event to the reader that waits, or puts it in line.
    func add(_ event: Event) {
        let reader = state.withLock { state -> CheckedContinuation<Event?, Never>? in
            if state.reader == nil { state.queue.add(event) }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: event)
    }

    /// No more events come.
    func close() {
        let reader = state.withLock { state -> CheckedContinuation<Event?, Never>? in
            state.isOver = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    func next() async -> Event? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, isHere) = state.withLock { state -> (Event?, Bool) in
                    if let event = state.queue.next() { return (event, true) }
                    if state.isOver || Task.isCancelled { return (nil, true) }
                    state.reader = continuation
                    return (nil, false)
                }
                if isHere { continuation.resume(returning: event) }
            }
        } onCancel: {
            let reader = state.withLock { state -> CheckedContinuation<Event?, Never>? in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}

/// Everybody who reads a run's events.
final class Audience: Sendable {
    private let subscriptions = Locked<[EventSubscription]>([])

    func join() -> RunEvents {
        let subscription = EventSubscription()
        subscriptions.withLock { $0.append(subscription) }
        return RunEvents(subscription: subscription)
    }

    func tell(_ event: Event) {
        for subscription in subscriptions.withLock({ $0 }) { subscription.add(event) }
    }

    func close() {
        for subscription in subscriptions.withLock({ $0 }) { subscription.close() }
    }
}

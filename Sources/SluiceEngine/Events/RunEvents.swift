// SPDX-License-Identifier: MIT

public import SluiceModel

/// A run's events in ``Event``'s order.
///
/// The sequence finishes after ``Event/runFinished(_:)`` and supports one reader.
///
/// A slow reader does not slow the run. If it falls behind by more than 4,096 events, it misses progress, starts,
/// retries, notes, pauses and pages, and item results arrive in a short form. See `Documentation/events.md`.
public struct RunEvents: AsyncSequence, Sendable {
    let subscription: EventSubscription

    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: EventSubscription

        /// Waits for the next event.
        ///
        /// Returns `nil` after the last event and when the reader's task is cancelled.
        public func next() async -> Event? { await subscription.next() }
    }

    /// Creates the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }
}

/// Delivers a run's events to one reader.
final class EventSubscription: Sendable {
    private struct State {
        var queue = EventQueue()
        var isClosed = false
        var reader: CheckedContinuation<Event?, Never>?
    }

    private let state = Locked(State())

    /// Resumes the waiting reader with an event, or appends the event to the queue.
    func send(_ event: Event) {
        let reader = state.withLock { state -> CheckedContinuation<Event?, Never>? in
            if state.reader == nil { state.queue.append(event) }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: event)
    }

    /// Ends the sequence after the queued events.
    func close() {
        let reader = state.withLock { state -> CheckedContinuation<Event?, Never>? in
            state.isClosed = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    func next() async -> Event? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, isReady) = state.withLock { state -> (Event?, Bool) in
                    if let event = state.queue.popFirst() { return (event, true) }
                    if state.isClosed || Task.isCancelled { return (nil, true) }
                    state.reader = continuation
                    return (nil, false)
                }
                if isReady { continuation.resume(returning: event) }
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

/// All readers of a run's events.
package final class EventSubscribers: Sendable {
    /// The readers; `nil` after the run's end.
    private let subscriptions = Locked<[EventSubscription]?>([])

    package init() {}

    /// Adds a reader, which receives all events from now on.
    package func subscribe() -> RunEvents {
        let subscription = EventSubscription()
        let isOpen = subscriptions.withLock { subscriptions in
            subscriptions?.append(subscription)
            return subscriptions != nil
        }
        if !isOpen { subscription.close() }
        return RunEvents(subscription: subscription)
    }

    package func send(_ event: Event) {
        for subscription in subscriptions.withLock({ $0 }) ?? [] { subscription.send(event) }
    }

    package func close() {
        let readers = subscriptions.withLock { subscriptions in
            defer { subscriptions = nil }
            return subscriptions
        }
        for subscription in readers ?? [] { subscription.close() }
    }
}

// SPDX-License-Identifier: MIT

public import SluiceModel

/// A run that its caller performs and stops.
public protocol ControlledRun: Sendable {
    /// Performs the run to its end.
    func run(recording record: @escaping @Sendable (Event) -> Void) async throws(MirrorError) -> Summary
    /// Requests a stop, and returns immediately.
    func stop(_ reason: StopReason)
    /// The stage that limited the run in the last few seconds; `nil` for none, and before the run has begun.
    var bottleneck: Bottleneck? { get }
}

/// A run whose work one ``Run`` does, so that its caller can also follow it and cancel its items.
public protocol SingleRun: ControlledRun {
    /// The run, which does the work.
    var control: Run { get }
}

extension SingleRun {
    /// Performs the run.
    ///
    /// It may be called once. It does not block its caller's actor, and cancelling its task stops the run.
    ///
    /// Calls `record` for one event at a time, in ``Event``'s order. Throws only if the run cannot begin, for example
    /// because a path does not exist. Later failures of items, pages and the disk are in the summary.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary { try await control.run(recording: record) }

    /// Performs a dry run; see ``Run/dryRun(listing:recording:)``.
    ///
    /// It may be called once, instead of ``run(recording:)``.
    public func dryRun(
        listing list: @escaping @Sendable (PlannedWork) -> Bool,
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary { try await control.dryRun(listing: list, recording: record) }

    /// Stops the run.
    ///
    /// No new items start, and finished work is kept.
    ///
    /// After a signal or a limit, items in flight have `RunLimits.drain` to finish. Otherwise they are cancelled.
    public func stop(_ reason: StopReason = .requested) { control.stop(reason) }

    /// The stage that limited the run in the last few seconds; `nil` for none, and before the run has begun.
    public var bottleneck: Bottleneck? { control.bottleneck }

    /// Returns the run's events as a sequence, from now on.
    ///
    /// Call it before ``run(recording:)``, once for each reader; after the end the sequence is empty.
    ///
    /// A slow reader does not slow the run and misses no item's end; see ``RunEvents``.
    public func events() -> RunEvents { control.events() }

    /// Cancels an item in flight by its `Item.id`.
    ///
    /// The next run processes it again.
    ///
    /// Returns `false` if the item has ended or has not been reached yet.
    @discardableResult
    public func cancel(_ id: Item.ID) -> Bool { control.cancel(id) }
}

/// A piece of work that a dry run finds and does not do.
public enum PlannedWork: Sendable {
    /// A photo that would be transferred, made or removed, or that fails, with the receipt that is known.
    case photo(Item, Receipt)
    /// A file of an adopted folder, with its verdict.
    case file(FoundFile)
}

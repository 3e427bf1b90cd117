// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// Writes each event as one line of JSON: see `Documentation/events.md`.
///
/// A slow reader blocks the caller, which is never the run itself.
final class JSONEventWriter: Sendable {
    /// The version of the format.
    ///
    /// It increases if a field is removed or changes its meaning, but not for a new field.
    static let schema = 1

    private let output: Output
    private let start = ContinuousClock.now

    init(to output: Output) {
        self.output = output
    }

    /// Writes the event; returns false if the output is closed.
    func record(_ event: Event) -> Bool {
        output.write(Self.line(event, at: ContinuousClock.now - start))
    }

    /// Returns the line for an event, with the line feed.
    static func line(_ event: Event, at time: Duration) -> [UInt8] {
        line(name(of: event)) { object in
            object.member("time", decimal: seconds(time))
            write(event, into: &object)
        }
    }

    /// Returns a line with this event name and members, with the line feed.
    ///
    /// Commands without a run use it directly.
    static func line(_ name: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", schema)
            object.member("event", name)
            members(&object)
        }
        writer.newline()
        return writer.bytes
    }

    private static func name(of event: Event) -> String {
        switch event {
        case .runStarted: "run-started"
        case .pageRequested: "page-requested"
        case .pageLoaded: "page-loaded"
        case .sourceRead: "source-read"
        case .pageFailed: "page-failed"
        case .fileFound: "file-found"
        case .itemStarted: "item-started"
        case .itemRetried: "item-retried"
        case .itemProgressed: "item-progressed"
        case .itemNoted: "item-noted"
        case .itemEnded: "item-ended"
        case .hostPaused: "host-paused"
        case .hostGivenUp: "host-given-up"
        case .concurrencyChanged: "width-changed"
        case .photosRemoved: "photos-removed"
        case .note: "note"
        case .stopping: "stopping"
        case .runFinished: "run-finished"
        }
    }

    private static func write(_ event: Event, into object: inout JSONWriter) {
        switch event {
        case .runStarted(let start): object.members(of: start)
        case .pageRequested(let number): object.member("page", number)
        case .pageLoaded(let number, let photos, let total):
            object.member("page", number)
            object.member("photos", photos)
            object.member("total", total)
        case .sourceRead(let share): object.member("share", decimal: share)
        case .pageFailed(let number, let failure):
            object.member("page", number)
            object.members(of: failure)
        case .fileFound(let file): object.members(of: file)
        case .itemStarted(let item): object.members(of: item)
        case .itemRetried(let item, let attempt, let failure, let delay):
            object.members(of: item)
            object.member("attempt", attempt)
            object.members(of: failure)
            object.member("delay", decimal: seconds(delay))
        case .itemProgressed(let item, let bytes, let total):
            object.members(of: item)
            object.member("bytes", bytes)
            object.member("total", total)
        case .itemNoted(let item, let text):
            object.members(of: item)
            object.member("text", text)
        case .itemEnded(let item, let end):
            object.members(of: item)
            object.members(of: end)
        case .hostPaused(let host, let duration, let failure):
            object.member("host", host)
            object.members(of: failure)
            object.member("delay", decimal: seconds(duration))
        case .hostGivenUp(let host, let failure):
            object.member("host", host)
            object.members(of: failure)
        case .concurrencyChanged(let width, let reason):
            object.member("width", width)
            object.member("reason", reason)
        case .photosRemoved(let cause, let done, let kept):
            object.member("cause", cause.name)
            object.member("done", done)
            object.member("kept", kept)
        case .note(let text, let hint):
            object.member("text", text)
            object.member("hint", hint?.text)
        case .stopping(let reason): object.members(of: reason)
        case .runFinished(let summary): object.members(of: summary)
        }
    }
}

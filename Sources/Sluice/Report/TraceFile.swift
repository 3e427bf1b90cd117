// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// `--trace`: the run's events in a file that is whole JSON at every moment, however the process ends.
final class TraceFile: Sendable {
    /// Written together, so that a photo does not cost a call of the system's; and the bound on what waits.
    private static let piece = 64 << 10

    private struct State {
        var events: TraceEvents
        var length: Int
        /// Why no more is written.
        var trouble: FileError?
    }

    private let file: GrowingFile
    private let state: Locked<State>

    /// Makes the file, for a run from SOURCE that began at `start`.
    init(_ path: String, source: String, since start: ContinuousClock.Instant) throws(MirrorError) {
        let begin = Array("[\n".utf8)
        do throws(FileError) {
            file = try GrowingFile(path, begin: begin, end: Array("\n]\n".utf8))
        } catch {
            throw MirrorError(.local, "the trace cannot be written (\(error)): give another file with --trace")
        }
        var events = TraceEvents(since: start)
        events.begin(source)
        state = Locked(State(events: events, length: begin.count))
        write()
    }

    /// Takes up what `body` tells, and writes it once there is enough.
    func tell(_ body: (inout TraceEvents) -> Void) { change(atLeast: Self.piece, body) }

    /// Writes what waits, with what `body` tells.
    func write(_ body: (inout TraceEvents) -> Void = { _ in }) { change(atLeast: 1, body) }

    /// Why it could not be written, if so.
    var trouble: String? { state.withLock { $0.trouble?.description } }

    private func change(atLeast count: Int, _ body: (inout TraceEvents) -> Void) {
        state.withLock { state in
            guard state.trouble == nil else { return }
            body(&state.events)
            guard state.events.count >= count else { return }
            // Under the lock: pieces must not overtake each other.
            let piece = state.events.take()
            do throws(FileError) {
                try file.write(piece, at: state.length)
                state.length += piece.count
            } catch {
                state.trouble = error
            }
        }
    }
}

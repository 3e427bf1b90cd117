// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Writes a run's trace to a file.
///
/// The file is complete JSON at any time, even if the process is killed.
package final class TraceFile: Sendable {
    /// The size of the write buffer in bytes: photos are written together, to save system calls.
    private static let bufferSize = 64 << 10

    private struct State {
        var events: TraceEvents
        var length: Int
        /// The error after which nothing more is written.
        var error: FileError?
    }

    private let file: GrowingFile
    private let state: Locked<State>

    /// Creates the file, for a run of `source` that started at `start`.
    package init(_ path: String, source: String, since start: ContinuousClock.Instant) throws(MirrorError) {
        let begin = Array("[\n".utf8)
        file = try Self.creating { () throws(FileError) in
            try GrowingFile(path, begin: begin, end: Array("\n]\n".utf8))
        }
        var events = TraceEvents(since: start)
        events.begin(source)
        state = Locked(State(events: events, length: begin.count))
        write()
    }

    /// Throws if the file could not be created; changes nothing.
    static func check(_ path: String) throws(MirrorError) {
        try creating { () throws(FileError) in try GrowingFile.check(path) }
    }

    private static func creating<Value: ~Copyable>(
        _ body: () throws(FileError) -> Value
    ) throws(MirrorError) -> Value {
        do throws(FileError) { return try body() } catch {
            throw MirrorError(.local, "cannot write the trace: \(error)", hint: .chooseTraceFile)
        }
    }

    /// Adds events, and writes the buffer if it is full.
    func add(_ body: (inout TraceEvents) -> Void) { update(writingAtLeast: Self.bufferSize, body) }

    /// Adds events, and writes the buffer.
    package func write(_ body: (inout TraceEvents) -> Void = { _ in }) { update(writingAtLeast: 1, body) }

    /// The reason why the file is incomplete; `nil` if no write failed.
    package var writeError: String? { state.withLock { $0.error?.description } }

    private func update(writingAtLeast count: Int, _ body: (inout TraceEvents) -> Void) {
        state.withLock { state in
            guard state.error == nil else { return }
            body(&state.events)
            guard state.events.count >= count else { return }
            // Write while holding the lock, to keep the order.
            let piece = state.events.take()
            do throws(FileError) {
                try file.write(piece, at: state.length)
                state.length += piece.count
            } catch {
                state.error = error
            }
        }
    }
}

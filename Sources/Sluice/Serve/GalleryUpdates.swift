// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceEngine
internal import SluiceFiles
internal import SluiceGallery
internal import SluiceModel
internal import SluiceOrigin
internal import SluiceStore

/// Notifies open pages by server-sent events when the gallery was rewritten, and of the progress of a run.
///
/// An event carries only the version of the front page's file; the page then loads the changed data itself. An event
/// `progress` carries the text that the run states.
final class GalleryUpdates: Sendable {
    /// The path of the event stream, below the mirror.
    static let path = "gallery/live"

    private struct State {
        var stamp: String
        /// The number of keep-alive comments sent.
        ///
        /// They reveal connections that the browser has closed.
        var keepAlives = 0
        /// The version and the text of the run's progress.
        ///
        /// The text that a killed run left is not read, because its version does not change.
        var progressStamp: String
        var progress = ""
        /// The tick in which the progress changed last.
        var progressTick = 0
        var ticks = 0
        var gate = OriginGate()
    }

    /// The version and keep-alive that a connection has received.
    fileprivate struct UpdateCursor {
        var stamp: String?
        var progress = ""
        var keepAlives: Int
    }

    private static let interval = DispatchTimeInterval.milliseconds(500)
    /// The number of ticks between keep-alives: ten seconds.
    private static let ticksPerKeepAlive = 20
    /// The number of ticks after which a run whose progress does not change was killed: ten seconds.
    private static let ticksOfSilence = 20
    /// The number of ticks between requests to a bucket for the file's version: 30 seconds.
    private static let ticksPerRequest = 60
    private let file: String
    private let store: any Store
    private let isLocal: Bool
    private let state: Locked<State>
    private let ticker = Locked<RepeatingTimer?>(nil)

    /// Starts to watch the file named `file` in `store`, on a queue of its own.
    init(of file: String, in store: any Store, isLocal: Bool = true) {
        (self.file, self.store, self.isLocal) = (file, store, isLocal)
        state = Locked(
            State(stamp: store.stamp(of: file) ?? "", progressStamp: store.stamp(of: GalleryProgress.file) ?? ""))
        let ticker = RepeatingTimer(every: Self.interval, on: DispatchQueue(label: "sluice.serve.updates")) {
            [weak self] in
            self?.checkFile()
        }
        self.ticker.withLock { $0 = ticker }
    }

    func stop() { ticker.withLock { $0 = nil } }

    /// The reply to a request for the event stream.
    ///
    /// It ends when the client disconnects.
    var reply: OriginReply {
        var reply = OriginReply(headers: [
            OriginHeader("Content-Type", "text/event-stream"), OriginHeader("Cache-Control", "no-store"),
        ])
        reply.stream = UpdateStream(updates: self)
        return reply
    }

    /// Adds a `data-live` attribute with the page's version to `<body>`, so that the page opens the event stream.
    static func addingVersion(_ stamp: String, to page: [UInt8]) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        guard let body = text.utf8.indices.first(where: { text.utf8[$0...].starts(with: "<body".utf8) }) else {
            return page
        }
        let end = text.utf8.index(body, offsetBy: 5)
        return Array(text.utf8[..<end]) + Array(" data-live=\"\(stamp)\"".utf8) + Array(text.utf8[end...])
    }

    private func checkFile() {
        let (known, ticks, knownProgress) = state.withLock { ($0.stamp, $0.ticks, $0.progressStamp) }
        let isDue = isLocal || (ticks + 1) % Self.ticksPerRequest == 0
        let stamp = isDue ? store.stamp(of: file) ?? "" : known
        // Runs in a bucket write no progress.
        let progressStamp = isLocal ? store.stamp(of: GalleryProgress.file) ?? "" : knownProgress
        let progress = progressStamp == knownProgress ? nil : readProgress()
        let gate = state.withLock { state -> OriginGate? in
            state.ticks += 1
            let isKeepAlive = state.ticks % Self.ticksPerKeepAlive == 0
            let wasKilled = state.progress != "" && state.ticks - state.progressTick > Self.ticksOfSilence
            guard isKeepAlive || stamp != state.stamp || progress != nil || wasKilled else { return nil }
            state.stamp = stamp
            if let progress {
                (state.progressStamp, state.progress, state.progressTick) = (progressStamp, progress, state.ticks)
            } else if wasKilled {
                state.progress = ""
            }
            state.keepAlives += isKeepAlive ? 1 : 0
            defer { state.gate = OriginGate() }
            return state.gate
        }
        gate?.open()
    }

    /// The progress of the run as one line; empty if there is none.
    private func readProgress() -> String {
        guard let file = try? store.open(GalleryProgress.file), let bytes = try? file.read(at: 0, count: 1000) else {
            return ""
        }
        return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }

    fileprivate func nextPiece(after cursor: inout UpdateCursor) -> OriginReadResult {
        let (stamp, progress, keepAlives, gate) = state.withLock { ($0.stamp, $0.progress, $0.keepAlives, $0.gate) }
        defer { cursor = UpdateCursor(stamp: stamp, progress: progress, keepAlives: keepAlives) }
        let news = stamp == cursor.stamp ? "" : "data: \(stamp)\n\n"
        let text = progress == cursor.progress ? "" : "event: progress\ndata: \(progress)\n\n"
        if news != "" || text != "" { return .bytes(Array((news + text).utf8)) }
        if keepAlives != cursor.keepAlives { return .bytes(Array(":\n\n".utf8)) }
        return .later(gate)
    }
}

/// The event stream of one connection.
private final class UpdateStream: OriginStream {
    let length: Int? = nil
    private let updates: GalleryUpdates
    private let cursor = Locked(GalleryUpdates.UpdateCursor(stamp: nil, keepAlives: 0))

    init(updates: GalleryUpdates) { self.updates = updates }

    func read(at offset: Int, count: Int) -> OriginReadResult {
        cursor.withLock { updates.nextPiece(after: &$0) }
    }
}

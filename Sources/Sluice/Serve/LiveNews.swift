// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceModel
internal import SluiceOrigin

/// Tells open pages that the gallery was written anew, as server-sent events.
///
/// The files are the only truth: an event says which stamp the front page has now, and the page sees for itself.
final class LiveNews: Sendable {
    /// Where pages listen, below the mirror.
    static let path = "gallery/live"

    private struct State {
        var stamp: String
        /// Counts what is sent although nothing changed, so that a listener who went away is noticed.
        var beat = 0
        var ticks = 0
        var gate = OriginGate()
    }

    /// What a listener has heard of.
    fileprivate struct Heard {
        var stamp: String?
        var beat: Int
    }

    private static let interval = DispatchTimeInterval.milliseconds(500)
    /// A beat is heard every ten seconds.
    private static let ticksOfBeat = 20
    private let file: String
    private let folder: Folder
    private let state: Locked<State>
    private let ticker = Locked<Ticker?>(nil)

    /// Watches a file below a folder.
    init(of file: String, in folder: Folder) {
        self.file = file
        self.folder = folder
        state = Locked(State(stamp: Self.stamp(of: file, in: folder)))
        let ticker = Ticker(every: Self.interval, on: DispatchQueue(label: "sluice.serve.news")) { [weak self] in
            self?.look()
        }
        self.ticker.withLock { $0 = ticker }
    }

    /// Watches no longer.
    func stop() { ticker.withLock { $0 = nil } }

    /// The reply to a page that listens: it ends when the page goes away.
    var reply: OriginReply {
        var reply = OriginReply(headers: [
            OriginHeader("Content-Type", "text/event-stream"), OriginHeader("Cache-Control", "no-store"),
        ])
        reply.stream = LiveStream(news: self)
        return reply
    }

    /// The front page as it is served: it says that there is news to listen to, and what it is as of.
    static func marked(_ page: [UInt8], stamp: String) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        guard let body = text.utf8.indices.first(where: { text.utf8[$0...].starts(with: "<body".utf8) }) else {
            return page
        }
        let place = text.utf8.index(body, offsetBy: 5)
        return Array(text.utf8[..<place]) + Array(" data-live=\"\(stamp)\"".utf8) + Array(text.utf8[place...])
    }

    private static func stamp(of file: String, in folder: Folder) -> String {
        guard let open = try? folder.openForReading(file), let stamp = try? open.stamp else { return "" }
        return stamp
    }

    private func look() {
        let stamp = Self.stamp(of: file, in: folder)
        let gate = state.withLock { state -> OriginGate? in
            state.ticks += 1
            let isBeat = state.ticks % Self.ticksOfBeat == 0
            guard isBeat || stamp != state.stamp else { return nil }
            state.stamp = stamp
            state.beat += isBeat ? 1 : 0
            defer { state.gate = OriginGate() }
            return state.gate
        }
        gate?.open()
    }

    fileprivate func piece(after heard: inout Heard) -> OriginPiece {
        let (stamp, beat, gate) = state.withLock { ($0.stamp, $0.beat, $0.gate) }
        defer { heard = Heard(stamp: stamp, beat: beat) }
        if stamp != heard.stamp { return .bytes(Array("data: \(stamp)\n\n".utf8)) }
        if beat != heard.beat { return .bytes(Array(":\n\n".utf8)) }
        return .later(gate)
    }
}

/// One page's listening.
private final class LiveStream: OriginStream {
    let length: Int? = nil
    private let news: LiveNews
    private let heard = Locked(LiveNews.Heard(stamp: nil, beat: 0))

    init(news: LiveNews) { self.news = news }

    func read(at offset: Int, count: Int) -> OriginPiece {
        heard.withLock { news.piece(after: &$0) }
    }
}

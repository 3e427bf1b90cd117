// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Makes thumbnails of files while others are still being loaded, so many at once, in the order of their arrival.
final class Decoding: Sendable {
    /// What came of it.
    struct Report: Sendable {
        /// The workers' time, together.
        var seconds = 0.0
        /// Files of which none could be made.
        var failed = 0
    }

    private struct State {
        var waiting: [String] = []
        var idle: [DispatchQueue]
        var report = Report()
    }

    private let thumbnailer: Thumbnailer
    private let state: Locked<State>
    private let work = DispatchGroup()

    init(side: Int, workers: Int) {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: side, height: side)]
        thumbnailer = Thumbnailer(options)
        state = Locked(State(idle: (0..<workers).map { DispatchQueue(label: "sluice.bench.decode.\($0)") }))
    }

    /// Puts a file in line.
    func take(_ path: String) {
        work.enter()
        let lane = state.withLock { state in
            state.waiting.append(path)
            return state.idle.popLast()
        }
        lane?.async { [self] in workOff(on: lane) }
    }

    /// Waits until all files had their turn.
    func drained() async -> Report {
        await withCheckedContinuation { continuation in
            work.notify(queue: DispatchQueue(label: "sluice.bench.drained")) { continuation.resume() }
        }
        return state.withLock { $0.report }
    }

    private func workOff(on lane: DispatchQueue?) {
        while let path = next(on: lane) {
            let start = ContinuousClock.now
            let isMade = make(path)
            let time = ContinuousClock.now - start
            state.withLock { state in
                state.report.seconds += time.seconds
                state.report.failed += isMade ? 0 : 1
            }
            work.leave()
        }
    }

    private func next(on lane: DispatchQueue?) -> String? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            if let lane { state.idle.append(lane) }
            return nil
        }
    }

    private func make(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? thumbnailer.thumbnails(ofFileAt: descriptor)) != nil
    }
}

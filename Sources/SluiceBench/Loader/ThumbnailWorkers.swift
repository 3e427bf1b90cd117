// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceModel
internal import SluiceSystem

/// Makes thumbnails of loaded files on a fixed number of workers while other files are still loading.
///
/// Files are processed in the order in which they are added.
final class ThumbnailWorkers: Sendable {
    /// The total cost of all files.
    struct Report: Sendable {
        /// The busy time of all workers, in seconds.
        var seconds = 0.0
        /// The number of files that could not be decoded.
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

    /// Adds a file to the queue.
    func add(_ path: String) {
        work.enter()
        let lane = state.withLock { state in
            state.waiting.append(path)
            return state.idle.popLast()
        }
        lane?.async { [self] in processQueue(on: lane) }
    }

    /// Waits until all added files are processed.
    func finish() async -> Report {
        await withCheckedContinuation { continuation in
            work.notify(queue: DispatchQueue(label: "sluice.bench.drained")) { continuation.resume() }
        }
        return state.withLock { $0.report }
    }

    private func processQueue(on lane: DispatchQueue?) {
        while let path = next(on: lane) {
            let start = ContinuousClock.now
            let isMade = makeThumbnail(of: path)
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

    private func makeThumbnail(of path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? thumbnailer.thumbnails(ofFileAt: descriptor)) != nil
    }
}

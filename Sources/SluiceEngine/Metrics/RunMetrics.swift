// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// Collects measurements of a run and samples them four times a second.
///
/// It does not influence the run. Its methods may be called from any thread.
package final class RunMetrics: Sendable {
    /// Values that are read for each sample.
    package struct Gauges: Sendable {
        /// How busy the pool is.
        var poolStatus: @Sendable () -> WorkPool.Status
        /// The number of bytes received so far.
        var received: @Sendable () -> Int
        /// The process IDs of the decode workers.
        var workers: @Sendable () -> [Int32]
        /// Whether photos are downloaded, as opposed to read from disk.
        var isRemote: Bool
        /// The bandwidth limit in bytes per second; `nil` for none.
        var bandwidth: Int?
        /// Whether the feed is a list on standard input.
        var readsInput = false
    }

    private struct State {
        var occupancy = StageOccupancy()
        var statistics = RunStatistics()
        var lanes = TraceLanes()
        var memory = MemoryPeak()
        var workerTime = WorkerTime()
        var libraries: Set<ImageFormat> = []
        var trace: TraceFile?
        var gauges: Gauges?
        var lastSample = RunSample()
        /// Counts since the last sample.
        var done = 0
        var others = 0
        /// The bytes received up to the last sample.
        var received = 0
    }

    private static let interval = DispatchTimeInterval.milliseconds(250)
    package let start = ContinuousClock.now
    private let state = Locked(State())
    private let timer = Locked<RepeatingTimer?>(nil)
    private let queue = DispatchQueue(label: "sluice.metrics.samples", qos: .utility)

    package func startSampling(_ gauges: Gauges) {
        state.withLock { $0.gauges = gauges }
        let timer = RepeatingTimer(every: Self.interval, leeway: .milliseconds(50), on: queue) { [weak self] in
            self?.takeSample()
        }
        self.timer.withLock { $0 = timer }
    }

    /// Takes the last sample and stops.
    func stopSampling() {
        timer.withLock { $0 = nil }
        takeSample()
        // The gauges retain the pool and the decoders.
        state.withLock { $0.gauges = nil }
    }

    /// Counts one more item in a stage.
    func enter(_ stage: Stage) { change(stage, by: 1) }

    /// Counts one item less in a stage.
    func leave(_ stage: Stage) { change(stage, by: -1) }

    func change(_ stage: Stage, by number: Int) {
        state.withLock { $0.occupancy.change(stage, by: number, at: now) }
    }

    /// Counts one more item in a stage while `body` runs.
    func during<Value>(_ stage: Stage, _ body: () async -> Value) async -> Value {
        enter(stage)
        defer { leave(stage) }
        return await body()
    }

    /// Also writes all measurements to a trace file.
    package func trace(to file: TraceFile) { state.withLock { $0.trace = file } }

    /// Records that an item has got its slot.
    func itemStarted() -> ItemTimings {
        var timings = ItemTimings()
        timings.startedAt = .now
        state.withLock { state in
            state.occupancy.change(.waitingForSlot, by: -1, at: now)
            state.occupancy.change(.inFlight, by: 1, at: now)
            timings.lane = state.lanes.acquire()
        }
        return timings
    }

    func itemEnded(_ item: Item, _ end: ItemOutcome, _ timings: ItemTimings) {
        let now = ContinuousClock.now
        let trace = state.withLock { state in
            if let lane = timings.lane { state.lanes.release(lane) }
            switch end {
            case .kept: break
            case .done: state.done += 1
            case .skipped, .failed: state.others += 1
            }
            state.statistics.add(timings)
            if let startedAt = timings.startedAt { state.statistics.add(itemDuration: now - startedAt) }
            return state.trace
        }
        trace?.add { $0.add(item, end, timings, now: now) }
    }

    func hostPaused(_ host: String, for duration: Duration) {
        let trace = state.withLock { $0.trace }
        trace?.add { $0.add(pauseOf: host, for: duration, now: .now) }
    }

    package var statistics: RunStatistics { state.withLock { $0.statistics } }

    /// The highest total memory of this process and its workers, in bytes.
    package var peakMemory: Int { state.withLock { $0.memory.bytes } }

    /// The CPU time that the decode workers have used, in seconds.
    package var workerTime: Double { state.withLock { $0.workerTime.seconds } }

    /// The formats of pictures and thumbnails whose libraries are loaded at run time.
    var libraries: Set<ImageFormat> { state.withLock { $0.libraries } }

    /// Records that the run uses the libraries of these formats.
    func use(_ libraries: Set<ImageFormat>) {
        if !libraries.isEmpty { state.withLock { $0.libraries.formUnion(libraries) } }
    }

    /// The stage that limits the run now.
    var bottleneck: Bottleneck? { state.withLock { $0.statistics.currentBottleneck } }

    /// The time since the run's start in seconds.
    private var now: Double { (ContinuousClock.now - start).inSeconds }

    private func takeSample() {
        guard let gauges = state.withLock({ $0.gauges }) else { return }
        let (pool, received) = (gauges.poolStatus(), gauges.received())
        let processes = gauges.workers()
        let (own, workers) = (ProcessMemory.own, processes.compactMap(ProcessMemory.init(of:)))
        let times = processes.compactMap { process in ProcessUsage.cpu(of: process).map { (process, $0) } }
        let (sample, trace) = state.withLock { state -> (RunSample?, TraceFile?) in
            state.memory.add(own, workers)
            state.workerTime.add(times)
            var sample = RunSample()
            sample.begin = state.lastSample.begin + state.lastSample.length
            sample.length = now - sample.begin
            guard sample.length > 0 else { return (nil, state.trace) }
            sample.averages = state.occupancy.averages(at: now)
            (sample.suspended, sample.pausedHosts) = (pool.suspended, pool.pausedHosts)
            sample.done = state.done
            sample.others = state.others
            sample.bytes = received - state.received
            (state.done, state.others, state.received) = (0, 0, received)
            let bottleneck = Bottleneck(
                sample.averages, suspended: pool.suspended, pausedHosts: pool.pausedHosts, width: pool.width,
                isThrottled: sample.saturates(gauges.bandwidth), readsInput: gauges.readsInput)
            sample.bottleneck = bottleneck == .network && !gauges.isRemote ? .disk : bottleneck
            state.lastSample = sample
            state.statistics.add(sample)
            return (sample, state.trace)
        }
        trace?.write { if let sample { $0.add(sample) } }
    }
}

/// Assigns lanes of the trace to items so that no two items in flight share one.
///
/// Each gets the lowest free lane.
private struct TraceLanes: Sendable {
    private var isTaken: [Bool] = []

    mutating func acquire() -> Int {
        if let free = isTaken.firstIndex(of: false) {
            isTaken[free] = true
            return free
        }
        isTaken.append(true)
        return isTaken.count - 1
    }

    mutating func release(_ lane: Int) { isTaken[lane] = false }
}

/// The CPU time of a run's decode workers, computed from periodic samples.
struct WorkerTime: Sendable {
    private var latest: [Int32: Double] = [:]
    /// The time of workers that have ended, up to their last samples.
    private var ended = 0.0

    /// The time of all workers in seconds.
    var seconds: Double { ended + latest.values.reduce(0, +) }

    /// Adds a sample of the times of all running workers.
    mutating func add(_ times: [(process: Int32, seconds: Double)]) {
        let running = [Int32: Double](times.map { ($0.process, $0.seconds) }) { $1 }
        // A lower time is that of another process with the same number.
        for (process, time) in latest where running[process].map({ $0 < time }) ?? true { ended += time }
        latest = running
    }
}

/// The highest total memory of a run's processes, computed from periodic samples.
///
/// A decode may begin and end between two samples. A process whose own peak has risen since the last sample therefore
/// counts with that peak. Pages of the program and its libraries, which workers share with the main process, count
/// once.
struct MemoryPeak: Sendable {
    /// The highest total so far.
    private(set) var bytes = 0
    private var peaks: [Int32: Int] = [:]

    /// Adds a sample of the main process and its workers.
    mutating func add(_ main: ProcessMemory, _ workers: [ProcessMemory]) {
        bytes = max(bytes, workers.reduce(usage(of: main)) { $0 + max(0, usage(of: $1) - $1.ofFiles) })
        peaks = [Int32: Int]((workers + [main]).map { ($0.process, $0.peak) }) { $1 }
    }

    private func usage(of memory: ProcessMemory) -> Int {
        memory.peak > peaks[memory.process, default: 0] ? memory.peak : memory.resident
    }
}

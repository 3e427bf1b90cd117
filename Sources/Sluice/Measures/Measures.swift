// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel
internal import SluiceTransfer

/// What a run measures of itself: whoever does something says so here, and a clock takes a sample four times a second.
///
/// It decides nothing, and a run goes on as well without it. Its methods may be called from any thread.
final class Measures: Sendable {
    /// Asked at each sample: how busy the pool is, and how many bytes have arrived so far.
    struct Sources: Sendable {
        var load: @Sendable () -> WorkPool.Load
        var received: @Sendable () -> Int
        /// The processes that decode for this one.
        var workers: @Sendable () -> [Int32]
        /// Whether photos come over the network, and not off this disk.
        var isRemote: Bool
        /// How many bytes may arrive in a second, if that is bounded.
        var bandwidth: Int?
    }

    private struct State {
        var clock = StageClock()
        var meter = RunMeter()
        var tracks = Tracks()
        var memory = MemoryPeak()
        var trace: TraceFile?
        var sources: Sources?
        /// What had happened at the last sample's end.
        var last = Sample()
        var done = 0
        var others = 0
        var received = 0
    }

    private static let interval = DispatchTimeInterval.milliseconds(250)
    /// When the run began.
    let start = ContinuousClock.now
    private let state = Locked(State())
    private let ticker = Locked<Ticker?>(nil)
    private let queue = DispatchQueue(label: "sluice.measures", qos: .utility)

    /// Begins to take samples.
    func begin(_ sources: Sources) {
        state.withLock { $0.sources = sources }
        let ticker = Ticker(every: Self.interval, leeway: .milliseconds(50), on: queue) { [weak self] in
            self?.sample()
        }
        self.ticker.withLock { $0 = ticker }
    }

    /// Takes the last sample, and no more.
    func end() {
        ticker.withLock { $0 = nil }
        sample()
        // They hold what the run worked with.
        state.withLock { $0.sources = nil }
    }

    /// Somebody enters a stage.
    func enter(_ stage: Stage) { change(stage, by: 1) }

    /// Somebody leaves a stage.
    func leave(_ stage: Stage) { change(stage, by: -1) }

    /// So many enter a stage, or leave it.
    func change(_ stage: Stage, by number: Int) {
        state.withLock { $0.clock.change(stage, by: number, at: now) }
    }

    /// Says that somebody is in a stage for as long as `body` takes.
    func during<Value>(_ stage: Stage, _ body: () async -> Value) async -> Value {
        enter(stage)
        defer { leave(stage) }
        return await body()
    }

    /// Has whatever is measured told to a trace, too.
    func trace(to file: TraceFile) { state.withLock { $0.trace = file } }

    /// An item has got its slot.
    func started() -> Timings {
        var timings = Timings()
        timings.started = .now
        state.withLock { state in
            state.clock.change(.line, by: -1, at: now)
            state.clock.change(.flight, by: 1, at: now)
            timings.track = state.tracks.take()
        }
        return timings
    }

    /// An item has ended.
    func ended(_ item: Item, _ end: End, _ timings: Timings) {
        let now = ContinuousClock.now
        let trace = state.withLock { state in
            if let track = timings.track { state.tracks.giveBack(track) }
            switch end {
            case .kept: break
            case .done: state.done += 1
            case .skipped, .failed: state.others += 1
            }
            state.meter.count(timings)
            if let started = timings.started { state.meter.count(item: now - started) }
            return state.trace
        }
        trace?.tell { $0.add(item, end, timings, now: now) }
    }

    /// Nobody asks the host for so long.
    func paused(_ host: String, for duration: Duration) {
        let trace = state.withLock { $0.trace }
        trace?.tell { $0.add(pauseOf: host, for: duration, now: .now) }
    }

    /// All that was measured so far.
    var meter: RunMeter { state.withLock { $0.meter } }

    /// The most memory that this process and its workers had together.
    var peakMemory: Int { state.withLock { $0.memory.bytes } }

    /// What holds the run up now.
    var bottleneck: Bottleneck? { state.withLock { $0.meter.current } }

    /// The run's time in seconds.
    private var now: Double { (ContinuousClock.now - start).inSeconds }

    private func sample() {
        guard let sources = state.withLock({ $0.sources }) else { return }
        let (load, received) = (sources.load(), sources.received())
        let (own, workers) = (ProcessMemory.own, sources.workers().compactMap(ProcessMemory.init(of:)))
        let (sample, trace) = state.withLock { state -> (Sample?, TraceFile?) in
            state.memory.take(own, workers)
            var sample = Sample()
            sample.begin = state.last.begin + state.last.length
            sample.length = now - sample.begin
            guard sample.length > 0 else { return (nil, state.trace) }
            sample.means = state.clock.means(at: now)
            (sample.resting, sample.pausedHosts) = (load.resting, load.heldHosts)
            sample.done = state.done
            sample.others = state.others
            sample.bytes = received - state.received
            (state.done, state.others, state.received) = (0, 0, received)
            let found = Bottleneck(
                sample.means, resting: load.resting, width: load.width, isThrottled: sample.takes(sources.bandwidth))
            sample.bottleneck = found == .network && !sources.isRemote ? .disk : found
            state.last = sample
            state.meter.take(sample)
            return (sample, state.trace)
        }
        trace?.write { if let sample { $0.add(sample) } }
    }
}

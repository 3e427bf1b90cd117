// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceGallery
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Creates a run's report from its metrics and counts, and writes it into the mirror.
struct RunReporter: Sendable {
    /// The number of hosts listed by name.
    private static let maxHosts = 20
    private static let temporary = "report"
    private static let maxEarlier = 4
    /// The largest report of an earlier run that is read, in bytes; a report has about 200 kB at most.
    private static let maxReportLength = 4 << 20

    private let definition: RunDefinition
    private let startedAt = Machine.secondsSince1970
    private let cpuBefore = ProcessUsage.cpu

    init(_ definition: RunDefinition) { self.definition = definition }

    /// The report of the run so far.
    func report(_ recorder: EventRecorder) -> RunReport {
        let statistics = recorder.metrics.statistics
        var report = RunReport(start: definition.start, startedAt: startedAt)
        let options = definition.options.run
        report.command = options.commandLine.filter { !options.unreportedWords.contains($0) }
        report.settings = definition.settings
        report.forecast = options.forecast
        report.summary = recorder.current
        report.summary.duration = ContinuousClock.now - recorder.metrics.start
        // A feed that cannot be read leaves no gallery.
        report.hasGallery = options.writesGallery && report.summary.ended > 0
        report.timeline = statistics.series.samples.map(RunReport.Interval.init)
        report.phases = ItemPhase.allCases.map { ($0, statistics.phases[$0.rawValue]) }
        report.items = statistics.items
        (report.hosts, report.otherHosts) = hosts(recorder)
        report.failures = recorder.failures
        report.stages = stages(report.timeline)
        report.bottleneckSeconds = statistics.bottleneckSeconds
        report.finding = finding(statistics, in: report.summary.duration, pauses: report.pauses)
        report.cost = cost
        report.cost.peakMemory = recorder.metrics.peakMemory
        report.cost.cpu += recorder.metrics.workerTime
        // Decoder processes load the libraries of formats; their versions are facts about the thumbnails.
        ImageFormat.loadLibraries(of: recorder.metrics.libraries.subtracting(ImageFormat.restricted))
        report.versions = [LibraryVersion("Sluice", Version.number)] + Version.loadedLibraries
        return report
    }

    /// Writes the report.
    ///
    /// A failure is recorded as a note and does not fail the run.
    func write(_ recorder: EventRecorder, into store: any Store, _ ledger: Ledger, title: String) {
        var report = report(recorder)
        report.title = title
        report.earlier = earlierFigures(in: store)
        // A ledger that cannot be read has stopped the run.
        let usage = (try? ledger.usageCounts()) ?? []
        report.usage = UsageSummary(usage.map { ($0.host, $0.usage, $0.photos, $0.skipped) })
        do throws(FileError) {
            try store.write(report.json, to: RunReport.jsonFile, temporary: Self.temporary, durability: .none)
            try store.write(report.page, to: RunReport.pageFile, temporary: Self.temporary, durability: .none)
        } catch {
            // A full disk or missing permissions that stopped the run were reported by then.
            if error.hintInMirror != nil && recorder.current.stop?.isTrouble == true { return }
            recorder.record(.note("cannot write the run's report: \(error)"))
        }
    }

    /// The figures in the report that this run replaces, newest first; none if another version wrote it.
    private func earlierFigures(in store: any Store) -> [RunFigures] {
        guard let bytes = try? store.read(RunReport.jsonFile, limit: Self.maxReportLength) else { return [] }
        return Array(RunFigures.all(inReport: bytes).prefix(Self.maxEarlier))
    }

    private func hosts(_ recorder: EventRecorder) -> (
        hosts: [RunReport.Host], others: (count: Int, sum: RunReport.Host)?
    ) {
        var all = recorder.hosts.map { name, counts in
            var host = RunReport.Host(name: name)
            (host.done, host.failed, host.retried) = (counts.done, counts.failed, counts.retried)
            (host.paused, host.bytes) = (counts.paused, counts.bytes)
            return host
        }
        all.sort { ($1.bytes, $1.done, $0.name) < ($0.bytes, $0.done, $1.name) }
        guard all.count > Self.maxHosts else { return (all, nil) }
        var sum = RunReport.Host(name: HostTally.others)
        for host in all[Self.maxHosts...] {
            sum.done += host.done
            sum.failed += host.failed
            sum.retried += host.retried
            sum.paused += host.paused
            sum.bytes += host.bytes
        }
        return (Array(all[..<Self.maxHosts]), (all.count - Self.maxHosts, sum))
    }

    private func stages(_ timeline: [RunReport.Interval]) -> [RunReport.StageUtilization] {
        let time = timeline.reduce(0) { $0 + $1.length }
        func use(_ name: String, _ capacity: Int?, _ value: (RunReport.Interval) -> Double)
            -> RunReport.StageUtilization
        {
            let sum = timeline.reduce(0) { $0 + value($1) * $1.length }
            let peak = timeline.map(value).max() ?? 0
            return RunReport.StageUtilization(
                name: name, mean: time > 0 ? sum / time : 0, peak: peak, capacity: capacity)
        }
        // These names are values in `report.json`.
        return [
            use("waiting for a page", 1, \.feedWait), use("waiting for a slot", nil, \.waitingForSlot),
            use("in progress", definition.tuning.slots, \.inFlight),
            use("waiting for a decoder", nil, \.waitingForDecoder),
            use("decoding", definition.tuning.decoders, \.decoding),
            use("waiting to be committed", nil, \.awaitingCommit),
            use("committing", 1, \.writing),
        ]
    }

    private func finding(_ statistics: RunStatistics, in time: Duration, pauses: Int) -> RunReport.Finding? {
        guard let verdict = statistics.mainBottleneck, let seconds = statistics.bottleneckSeconds[verdict] else {
            return nil
        }
        let samples = statistics.series.samples
        func totalWait(_ stage: Stage) -> Double { samples.reduce(0) { $0 + $1.averages[stage] * $1.length } }
        return RunReport.Finding(
            verdict, share: time > .zero ? min(1, seconds / time.inSeconds) : 0, tuning: definition.tuning,
            pauses: pauses,
            isMemoryBound: totalWait(.waitingForMemory) > totalWait(.waitingForDecoder))
    }

    private var cost: RunReport.Cost {
        var cost = RunReport.Cost()
        cost.cpu = ProcessUsage.cpu - cpuBefore
        cost.cores = Machine.cores
        cost.memoryBudget = definition.tuning.memory << 20
        return cost
    }
}

extension RunReport {
    var pauses: Int { hosts.reduce(otherHosts?.sum.paused ?? 0) { $0 + $1.paused } }
}

extension RunReport.Interval {
    init(_ sample: RunSample) {
        self.init()
        (begin, length) = (sample.begin, sample.length)
        (done, others, bytes) = (sample.done, sample.others, sample.bytes)
        inFlight = sample.averages[.inFlight]
        waitingForSlot = sample.averages[.waitingForSlot]
        waitingForDecoder = sample.averages[.waitingForDecoder] + sample.averages[.waitingForMemory]
        decoding = sample.averages[.decoding]
        awaitingCommit = sample.averages[.awaitingCommit]
        writing = sample.averages[.committing]
        feedWait = sample.averages[.readingFeed]
        pausedHosts = sample.pausedHosts
        bottleneck = sample.bottleneck
    }
}

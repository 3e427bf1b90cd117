// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceGallery
internal import SluiceLedger
internal import SluiceModel

/// Makes a run's report of what was measured and counted, and writes it into the mirror.
struct Reporter: Sendable {
    /// So many hosts are named.
    private static let mostHosts = 20
    static let json = "report.json"
    static let page = "report.html"
    /// Where the next run clears away what a killed one left.
    private static let temporary = "\(MirrorFolder.partial)/report"

    private let plan: RunPlan
    private let startedAt = Machine.secondsSince1970
    private let cpuBefore = OwnCost.cpu

    /// Begins with what the run is asked to do.
    init(_ plan: RunPlan) { self.plan = plan }

    /// The report of the run so far.
    func report(_ recorder: Recorder) -> RunReport {
        let meter = recorder.measures.meter
        var report = RunReport(start: plan.start, startedAt: startedAt)
        report.command = plan.words
        report.settings = plan.settings
        report.summary = recorder.current
        report.summary.duration = ContinuousClock.now - recorder.measures.start
        report.course = meter.series.samples.map(RunReport.Moment.init)
        report.phases = Phase.allCases.map { ($0, meter.phases[$0.rawValue]) }
        report.items = meter.items
        (report.hosts, report.otherHosts) = hosts(recorder)
        report.stages = stages(report.course)
        report.heldUp = meter.heldUp
        report.finding = finding(meter, in: report.summary.duration, pauses: report.pauses)
        report.cost = cost
        report.cost.peakMemory = recorder.measures.peakMemory
        report.versions = [LibraryVersion("Sluice", Version.number)] + Version.libraries
        return report
    }

    /// Writes the report; a run does not fail for the lack of one.
    func write(_ recorder: Recorder, into folder: Folder) {
        let report = report(recorder)
        do throws(FileError) {
            try folder.write(report.json, to: Self.json, temporary: Self.temporary, flushed: false)
            try folder.write(report.page, to: Self.page, temporary: Self.temporary, flushed: false)
        } catch {
            recorder.record(.note("the run's report could not be written: \(error)"))
        }
    }

    private func hosts(_ recorder: Recorder) -> (hosts: [RunReport.Host], others: (count: Int, sum: RunReport.Host)?) {
        var all = recorder.hosts.map { name, counts in
            var host = RunReport.Host(name: name)
            (host.done, host.failed, host.retried) = (counts.done, counts.failed, counts.retried)
            (host.paused, host.bytes) = (counts.paused, counts.bytes)
            return host
        }
        all.sort { ($1.bytes, $1.done, $0.name) < ($0.bytes, $0.done, $1.name) }
        guard all.count > Self.mostHosts else { return (all, nil) }
        var sum = RunReport.Host(name: HostTally.others)
        for host in all[Self.mostHosts...] {
            sum.done += host.done
            sum.failed += host.failed
            sum.retried += host.retried
            sum.paused += host.paused
            sum.bytes += host.bytes
        }
        return (Array(all[..<Self.mostHosts]), (all.count - Self.mostHosts, sum))
    }

    private func stages(_ course: [RunReport.Moment]) -> [RunReport.StageUse] {
        let time = course.reduce(0) { $0 + $1.length }
        func use(_ name: String, _ capacity: Int?, _ value: (RunReport.Moment) -> Double) -> RunReport.StageUse {
            let sum = course.reduce(0) { $0 + value($1) * $1.length }
            let peak = course.map(value).max() ?? 0
            return RunReport.StageUse(name: name, mean: time > 0 ? sum / time : 0, peak: peak, capacity: capacity)
        }
        return [
            use("waiting for a page", 1, \.feedWait), use("waiting for a slot", nil, \.line),
            use("under way", plan.levers.slots, \.inFlight), use("waiting for a decoder", nil, \.decodeLine),
            use("decoding", plan.levers.decoders, \.decoding), use("waiting to be made safe", nil, \.writeLine),
            use("making safe", 1, \.writing),
        ]
    }

    private func finding(_ meter: RunMeter, in time: Duration, pauses: Int) -> RunReport.Finding? {
        guard let verdict = meter.verdict, let seconds = meter.heldUp[verdict] else { return nil }
        let samples = meter.series.samples
        func waited(_ stage: Stage) -> Double { samples.reduce(0) { $0 + $1.means[stage] * $1.length } }
        return RunReport.Finding(
            verdict, share: time > .zero ? min(1, seconds / time.inSeconds) : 0, levers: plan.levers, pauses: pauses,
            isMemory: waited(.memoryLine) > waited(.decodeLine))
    }

    private var cost: RunReport.Cost {
        var cost = RunReport.Cost()
        cost.cpu = OwnCost.cpu - cpuBefore
        cost.cores = Machine.cores
        cost.memoryBudget = plan.levers.memory << 20
        return cost
    }
}

extension RunReport {
    /// How often hosts were left alone for a while.
    var pauses: Int { hosts.reduce(otherHosts?.sum.paused ?? 0) { $0 + $1.paused } }
}

extension RunReport.Moment {
    /// What a sample tells.
    init(_ sample: Sample) {
        self.init()
        (begin, length) = (sample.begin, sample.length)
        (done, others, bytes) = (sample.done, sample.others, sample.bytes)
        inFlight = sample.means[.flight]
        line = sample.means[.line]
        decodeLine = sample.means[.decodeLine] + sample.means[.memoryLine]
        decoding = sample.means[.decode]
        writeLine = sample.means[.ends]
        writing = sample.means[.writer]
        feedWait = sample.means[.feed]
        pausedHosts = sample.pausedHosts
        bottleneck = sample.bottleneck
    }
}

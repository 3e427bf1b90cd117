// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceBench

/// Sweeps with real processes: the origin and each sample run the built command.
@Suite("Loader bench", .timeLimit(.minutes(10)), .serialized) struct LoaderBenchTests {
    private var executable: String {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "sluice").path
    }

    /// Options for a simulated origin without latency, limits, losses or faults.
    private var plain: LoaderBenchOptions {
        var options = LoaderBenchOptions()
        options.origin.latency = .zero
        options.origin.jitter = .zero
        options.origin.bandwidth = nil
        options.origin.perConnection = nil
        options.origin.bytes = 4000
        options.origin.images = 12
        options.repeats = 1
        options.concurrency = [2]
        return options
    }

    /// Checks the knee against a calculation.
    ///
    /// A load takes the latency plus its bytes at a connection's speed: 20 ms + 20,000 / 100,000 s = 220 ms. The total
    /// bandwidth allows 800,000 / 20,000 = 40 images per second, which 40 x 0.22 = 8.8 concurrent loads use up. So 8
    /// loads reach 36 per second, 90% of the maximum, and 4 loads at most 18. Within one step of 8 are 4 and 16.
    @Test("A sweep finds the calculated knee within one step")
    func knee() throws {
        var options = plain
        options.origin.latency = .milliseconds(20)
        options.origin.bytes = 20_000
        options.origin.perConnection = 100_000
        options.origin.bandwidth = 800_000
        options.origin.images = 64
        options.maximumSampleTime = .seconds(2)
        options.repeats = 3
        options.concurrency = [1, 2, 4, 8, 16, 32, 64]
        let report = try LoaderBench(options, executable: executable).run()
        let curve = try #require(report.curves.first)
        let knee = try #require(report.knee(of: curve))
        #expect([4, 8, 16].contains(report.points[knee].setting.concurrency))
        #expect(report.points.allSatisfy { $0.samples.count == 3 })
        // The lowest concurrency is limited by its slots; on a busy machine each load takes longer than expected.
        #expect([.slots, .hosts].contains(report.limitingFactor(of: report.points[curve[0]])))
        // No rate can exceed the total bandwidth.
        #expect(report.points.allSatisfy { $0.rate.median < 41 })
    }

    @Test("Two runs of the same sweep have the same points and conditions")
    func agreement() throws {
        var options = plain
        options.origin.images = 2
        options.repeats = 5
        let files = try (0..<2).map { _ in
            try BenchResultFile(LoaderBench(options, executable: executable).run().exported(as: .json), from: "")
        }
        let comparison = try BenchComparison(files[0], files[1])
        #expect(comparison.lines.count == 1 && comparison.warnings.isEmpty, "\(comparison)")
        // How far two runs differ depends on the machine's load, but a run never differs from itself.
        let same = try BenchComparison(files[0], files[0])
        #expect(same.lines.map(\.comparison.verdict) == [.same] && same.warnings.isEmpty, "\(same)")
    }

    @Test("Every image is counted once, with its bytes, requests and retries")
    func counts() throws {
        var options = plain
        options.origin.faults = [BenchFault(share: 0.5, kind: .close)]
        options.retries = 20
        let report = try LoaderBench(options, executable: executable).run()
        #expect(report.points.map(\.setting.hasFaults) == [false, true])
        let clean = try #require(report.points.first?.samples.first)
        #expect(clean.done == 12 && clean.retries == 0 && clean.origin?.faults == 0)
        #expect(report.findings.contains { $0.hasPrefix("faults at 2: ") && $0.hasSuffix(" retries, 0.0 failed") })
        #expect(try Schema("bench").allows(JSON(parsing: report.exported(as: .json))))
        let sample = try #require(report.points.last?.samples.first)
        #expect(sample.done == 12 && sample.failed == 0)
        #expect(sample.bytes == 12 * 4000)
        #expect(sample.retries > 0)
        // libcurl itself retries a request on a reused connection that was closed; the loader does not count it.
        let origin = try #require(sample.origin)
        #expect(origin.requests >= 12 + sample.retries && origin.faults == origin.requests - 12)
        #expect(sample.latency.p50 <= sample.latency.p99 && sample.latency.p99 <= sample.latency.maximum)
        #expect(sample.cpuSeconds > 0 && sample.peakMemory > 1 << 20)
    }

    /// Checks lower bounds of the time of an adaptive loader.
    ///
    /// A round takes at least half a second, and the first round has one load at a time. So 12 loads of 30 ms take at
    /// least 360 ms. Eight concurrent loads take at least 60 ms.
    @Test("An adaptive loader starts with the lowest concurrency and is compared with the fastest fixed one")
    func auto() throws {
        var options = plain
        options.origin.latency = .milliseconds(30)
        options.concurrency = [1, 8]
        options.auto = 1...8
        let report = try LoaderBench(options, executable: executable).run()
        #expect(report.points.map(\.setting.adaptsFrom) == [nil, nil, 1])
        #expect(report.points[2].samples[0].seconds >= 0.35 && report.points[2].samples[0].done == 12)
        // An adaptive point belongs to no curve and has no limiting factor.
        #expect(report.curves == [[0, 1]] && report.best != 2)
        #expect(report.table.rows.map { $0[0] } == ["1", "8", "auto"] && report.table.rows[2].last == "")
        #expect(report.findings.contains { $0.hasPrefix("auto: ") && $0.contains("% of the fastest's rate (8)") })
        #expect(try Schema("bench").allows(JSON(parsing: report.exported(as: .json))))
    }

    @Test("Thumbnails are made of the loaded images")
    func thumbnails() throws {
        var options = plain
        options.thumbnails = [nil, 32]
        options.workers = [1, 2]
        let report = try LoaderBench(options, executable: executable).run()
        #expect(report.points.map(\.setting.thumbnails) == [nil, 32, 32])
        #expect(report.points.map(\.setting.workers) == [1, 1, 2])
        #expect(report.points.allSatisfy { $0.samples[0].done == 12 })
        #expect(report.points.map { $0.samples[0].decodingSeconds > 0 } == [false, true, true])
    }

    @Test("A stopped sweep returns its results so far and leaves no files")
    func stopping() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = plain
        options.folder = folder.path
        options.repeats = 5
        let sampled = Locked(0)
        let report = try LoaderBench(options, executable: executable).run(
            progress: { progress in
                if case .started(let number, _, _) = progress { sampled.withLock { $0 = number } }
            }, shouldContinue: { sampled.withLock { $0 } < 3 })
        #expect(report.points.map(\.samples.count) == [2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    /// The first load would take ten minutes, so only a sample that is dropped ends in time.
    @Test("A sweep that stops during a sample drops it at once", .timeLimit(.minutes(5)))
    func stoppingWithinSample() throws {
        var options = plain
        options.timeout = .seconds(600)
        options.origin.latency = .seconds(600)
        let warmed = try LoaderBench(options, executable: executable).run(shouldContinue: { false })
        #expect(warmed.points == [])
        #expect(warmed.table.rows.isEmpty && warmed.warnings == ["stopped before the first sample ended"])
    }

    @Test("The first round is in order and reports each setting's first sample at once")
    func firstResults() throws {
        var options = plain
        options.concurrency = [1, 2, 4]
        options.repeats = 2
        var steps: [String] = []
        let report = try LoaderBench(options, executable: executable).run(progress: { progress in
            switch progress {
            case .started(_, _, let label): steps.append("start \(label)")
            case .firstResult(let table): steps.append("result \(table.rows.map { $0[0] })")
            }
        })
        let first = ["warm-up", "1", "2", "4"].flatMap { label in
            ["start \(label)"] + (label == "warm-up" ? [] : ["result [\"\(label)\"]"])
        }
        #expect(Array(steps.prefix(first.count)) == first)
        #expect(steps.count == first.count + 3 && report.points.map(\.samples.count) == [2, 2, 2])
    }

    @Test("HTTP/2 with the built-in origin and impolite sweeps are refused")
    func refusals() {
        var options = plain
        options.http = ["1.1", "2"]
        #expect(throws: BenchError.self) { try LoaderBench(options, executable: executable).run() }
        options = plain
        options.addresses = (0..<600).map { "http://example.test/\($0)" }
        options.repeats = 10
        #expect(throws: BenchError.self) { try LoaderBench(options, executable: executable).run() }
        options.addresses = ["http://example.test/1"]
        options.perHost = [7]
        #expect(throws: BenchError.self) { try LoaderBench(options, executable: executable).run() }
    }

    @Test("The origin's process ends when its parent closes its standard input")
    func orphans() throws {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: executable)
        process.arguments = [BenchHelper.firstArgument, BenchHelper.origin.rawValue]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(
            contentsOf: Data(
                #"{"images":1,"bytes":4000,"seed":1,"latency_ms":0,"jitter_ms":0,"loss_percent":0,"faults":[]}"#.utf8)
                + Data("\n".utf8))
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}

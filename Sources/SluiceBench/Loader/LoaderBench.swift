// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Measures the loader with every combination of settings (a sweep).
///
/// Each sample runs in its own process. The order of the settings is shuffled in every round, so that temporary load on
/// the machine affects all settings alike.
package struct LoaderBench: Sendable {
    private let options: LoaderBenchOptions
    private let executable: String

    /// Creates a sweep; `executable` is this program, which runs a ``BenchHelper`` if the arguments name one.
    package init(_ options: LoaderBenchOptions, executable: String) {
        self.options = options
        self.executable = executable
    }

    /// Measures all settings; if `shouldContinue` returns `false` between two samples, returns the results so far.
    package func run(
        progress report: (BenchProgress) -> Void = { _ in }, shouldContinue: () -> Bool = { true }
    ) throws(BenchError) -> LoaderReport {
        try options.check()
        let folder: ScratchFolder
        do throws(FileError) { folder = try ScratchFolder(in: options.folder) } catch {
            throw BenchError(.local, "cannot \(error.operation) '\(error.path)': \(error.reason)")
        }
        defer { withExtendedLifetime(folder) {} }
        let origin = options.addresses == nil ? try OriginProcess(executable, options) : nil
        let settings = options.settings
        var points = settings.map { LoaderPoint(setting: $0, samples: []) }
        if let widest = settings.max(by: { $0.concurrency < $1.concurrency }) {
            report(BenchProgress(number: 0, count: settings.count * options.repeats, label: "warm-up"))
            _ = try sample(widest, origin, folder.path)
        }
        for (number, index) in order(of: settings.count).enumerated() {
            guard shouldContinue() else { break }
            let label = settings[index].label(among: settings)
            report(BenchProgress(number: number + 1, count: settings.count * options.repeats, label: label))
            points[index].samples.append(try sample(settings[index], origin, folder.path))
        }
        return LoaderReport(
            host: .current, origin: usesSimulatedOrigin ? options.origin : nil, recorded: options.recording?.run,
            replayedBandwidth: options.replayedBandwidth, addresses: options.addresses?.count,
            points: points.filter { !$0.samples.isEmpty })
    }

    private var usesSimulatedOrigin: Bool { options.addresses == nil && options.recording == nil }

    /// Returns the settings' indices for all rounds, shuffled in each round and reproducible from the seed.
    private func order(of count: Int) -> [Int] {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: options.origin.seed))
        return (0..<options.repeats).flatMap { _ in (0..<count).shuffled(using: &random) }
    }

    private func sample(
        _ setting: LoaderSetting, _ origin: OriginProcess?, _ folder: String
    ) throws(BenchError) -> LoaderSample {
        let job = SampleJob(
            setting: setting, source: source(origin), folder: folder, timeout: options.timeout,
            retries: options.retries,
            maximumSampleTime: options.maximumSampleTime)
        let before = try origin?.cost()
        let child = try ChildProcess(executable, [BenchHelper.firstArgument, BenchHelper.sample.rawValue])
        var sample = try LoaderSample(Self.parsed(try child.request(job.json)))
        if let before { sample.origin = try origin?.cost().subtracting(before) }
        return sample
    }

    private func source(_ origin: OriginProcess?) -> SampleJob.Source {
        guard let origin else { return .addresses(options.addresses ?? []) }
        return options.recording.map { .replay(port: origin.port, hosts: $0.photos.map(\.host)) }
            ?? .origin(port: origin.port, count: options.origin.images)
    }

    static func parsed(_ line: [UInt8]) throws(BenchError) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: line)
        } catch {
            throw BenchError(.broken, "cannot read a helper process's reply: \(error)")
        }
    }
}

/// The helper process that runs the origin server.
private final class OriginProcess {
    let port: Int
    private let child: ChildProcess

    init(_ executable: String, _ options: LoaderBenchOptions) throws(BenchError) {
        child = try ChildProcess(executable, [BenchHelper.firstArgument, BenchHelper.origin.rawValue])
        var json = JSONWriter()
        json.object { json in
            guard let recording = options.recording else { return options.origin.write(to: &json) }
            json.member("seed", options.origin.seed)
            json.member("bandwidth", options.replayedBandwidth)
            json.member("photos", array: { list in for photo in recording.photos { photo.write(to: &list) } })
        }
        port = try LoaderBench.parsed(try child.request(json.bytes)).count("port")
    }

    /// Returns the origin's counters and CPU time since its start.
    func cost() throws(BenchError) -> LoaderSample.OriginCost {
        try LoaderSample.OriginCost(LoaderBench.parsed(try child.request([])))
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

/// Measures the loader with every combination of settings (a sweep).
///
/// Each sample runs in its own process. The order of the settings is shuffled in every round, so that temporary load on
/// the machine affects all settings alike. Only the first round is in order, because its results are shown at once.
package struct LoaderBench: Sendable {
    private let options: LoaderBenchOptions
    private let executable: String

    /// Creates a sweep; `executable` is this program, which runs a ``BenchHelper`` if the arguments name one.
    package init(_ options: LoaderBenchOptions, executable: String) {
        self.options = options
        self.executable = executable
    }

    /// The longest time in which the warm-up starts loads.
    private static let warmUpTime = Duration.seconds(2)

    /// Measures all settings; if `shouldContinue` returns `false`, drops the current sample and returns the results so
    /// far.
    package func run(
        progress report: (BenchProgress) -> Void = { _ in }, shouldContinue: () -> Bool = { true }
    ) throws(BenchError) -> LoaderReport {
        try options.check()
        let folder: ScratchFolder
        do throws(FileError) { folder = try ScratchFolder(in: options.folder) } catch {
            throw BenchError(.local, "cannot \(error.operation) '\(error.path)': \(error.reason)")
        }
        defer { withExtendedLifetime(folder) {} }
        let settings = options.settings
        var results = self.report(on: settings)
        let origins = try origins(of: settings)
        if let widest = settings.max(by: { $0.concurrency < $1.concurrency }) {
            report(.started(number: 0, count: settings.count * options.repeats, label: "warm-up"))
            let time = min(options.maximumSampleTime, Self.warmUpTime)
            _ = try sample(widest.withoutFaults, origins, folder.path, for: time, while: shouldContinue)
        }
        for (number, index) in order(of: settings.count).enumerated() {
            report(
                .started(
                    number: number + 1, count: settings.count * options.repeats,
                    label: settings[index].label(among: settings)))
            let time = options.maximumSampleTime
            guard shouldContinue(),
                let sample = try sample(settings[index], origins, folder.path, for: time, while: shouldContinue)
            else { break }
            results.points[index].samples.append(sample)
            if number < settings.count { report(.firstResult(results.firstResult(of: index))) }
        }
        results.points.removeAll { $0.samples.isEmpty }
        return results
    }

    /// Returns a report without samples.
    private func report(on settings: [LoaderSetting]) -> LoaderReport {
        LoaderReport(
            host: .current, origin: options.addresses == nil ? options.origin : nil,
            addresses: options.addresses?.count,
            points: settings.map { LoaderPoint(setting: $0, samples: []) })
    }

    /// Returns the settings' indices for all rounds: first in order, then shuffled, reproducible from the seed.
    private func order(of count: Int) -> [Int] {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: options.origin.seed))
        return (0..<options.repeats).flatMap { $0 == 0 ? Array(0..<count) : (0..<count).shuffled(using: &random) }
    }

    /// Starts an origin without faults, and one with them if a setting needs it.
    private func origins(of settings: [LoaderSetting]) throws(BenchError) -> [Bool: OriginProcess] {
        guard options.addresses == nil else { return [:] }
        var origins: [Bool: OriginProcess] = [:]
        for hasFaults in Set(settings.map(\.hasFaults)).union([false]) {
            origins[hasFaults] = try OriginProcess(executable, options, hasFaults: hasFaults)
        }
        return origins
    }

    private func sample(
        _ setting: LoaderSetting, _ origins: [Bool: OriginProcess], _ folder: String, for time: Duration,
        while shouldContinue: () -> Bool
    ) throws(BenchError) -> LoaderSample? {
        let origin = origins[setting.hasFaults]
        let job = SampleJob(
            setting: setting, source: source(origin), folder: folder, timeout: options.timeout,
            retries: options.retries, maximumSampleTime: time)
        let before = try origin?.cost()
        let child = try ChildProcess(executable, [BenchHelper.firstArgument, BenchHelper.sample.rawValue])
        guard let reply = try child.request(job.json, while: shouldContinue) else { return nil }
        var sample = try LoaderSample(Self.parsed(reply))
        if let before { sample.origin = try origin?.cost().subtracting(before) }
        return sample
    }

    private func source(_ origin: OriginProcess?) -> SampleJob.Source {
        guard let origin else { return .addresses(options.addresses ?? []) }
        return .origin(port: origin.port, count: options.origin.images)
    }

    fileprivate static func parsed(_ line: [UInt8]) throws(BenchError) -> JSON {
        do throws(InvalidText) {
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

    init(_ executable: String, _ options: LoaderBenchOptions, hasFaults: Bool) throws(BenchError) {
        child = try ChildProcess(executable, [BenchHelper.firstArgument, BenchHelper.origin.rawValue])
        var json = JSONWriter()
        var profile = options.origin
        if !hasFaults { profile.faults = [] }
        json.object { profile.write(to: &$0) }
        port = try LoaderBench.parsed(try Self.reply(of: child, to: json.bytes)).count("port")
    }

    /// Returns the reply to a short request, which is not interrupted.
    private static func reply(of child: ChildProcess, to line: [UInt8]) throws(BenchError) -> [UInt8] {
        try child.request(line, while: { true }) ?? []
    }

    /// Returns the origin's counters and CPU time since its start.
    func cost() throws(BenchError) -> LoaderSample.OriginCost {
        try LoaderSample.OriginCost(LoaderBench.parsed(try Self.reply(of: child, to: [])))
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A sweep: every setting is measured again and again, each time in a process of its own, in an order that is shuffled
/// anew in each round, so that a busy minute is no setting's alone.
public struct LoaderBench: Sendable {
    private let options: LoaderBenchOptions
    private let executable: String

    /// Describes a sweep; `executable` is the program whose first argument may be ``BenchPart/word``.
    public init(_ options: LoaderBenchOptions, executable: String) {
        self.options = options
        self.executable = executable
    }

    /// Measures all; between two samples it asks `goesOn`, and gives what it has when that says no.
    public func run(
        telling tell: (BenchProgress) -> Void = { _ in }, goesOn: () -> Bool = { true }
    ) throws(BenchError) -> LoaderReport {
        try options.check()
        let folder = try ScratchFolder(in: options.folder)
        defer { folder.remove() }
        let origin = options.addresses == nil ? try RunningOrigin(executable, options) : nil
        let settings = options.settings
        var points = settings.map { LoaderPoint(setting: $0, samples: []) }
        if let widest = settings.max(by: { $0.concurrency < $1.concurrency }) {
            tell(BenchProgress(number: 0, count: settings.count * options.repeats, label: "warm-up"))
            _ = try sample(widest, origin, folder.path)
        }
        for (number, place) in order(of: settings.count).enumerated() {
            guard goesOn() else { break }
            let label = settings[place].label(among: settings)
            tell(BenchProgress(number: number + 1, count: settings.count * options.repeats, label: label))
            points[place].samples.append(try sample(settings[place], origin, folder.path))
        }
        return LoaderReport(
            host: .own, origin: isModelled ? options.origin : nil, recorded: options.recording?.course,
            replayedBandwidth: options.replayedBandwidth, addresses: options.addresses?.count,
            points: points.filter { !$0.samples.isEmpty })
    }

    private var isModelled: Bool { options.addresses == nil && options.recording == nil }

    /// The points' places in all rounds, each round in another order, and the same from the same seed.
    private func order(of count: Int) -> [Int] {
        var chance = Chance(seed: UInt64(truncatingIfNeeded: options.origin.seed))
        return (0..<options.repeats).flatMap { _ in (0..<count).shuffled(using: &chance) }
    }

    private func sample(
        _ setting: LoaderSetting, _ origin: RunningOrigin?, _ folder: String
    ) throws(BenchError) -> LoaderSample {
        let order = SampleOrder(
            setting: setting, source: source(origin), folder: folder, timeout: options.timeout,
            retries: options.retries,
            longest: options.longest)
        let before = try origin?.cost()
        let child = try ChildProcess(executable, [BenchPart.word, BenchPart.sample.rawValue])
        var sample = try LoaderSample(Self.parsed(try child.ask(order.json)))
        if let before { sample.origin = try origin?.cost().since(before) }
        return sample
    }

    private func source(_ origin: RunningOrigin?) -> SampleOrder.Source {
        guard let origin else { return .addresses(options.addresses ?? []) }
        return options.recording.map { .replay(port: origin.port, hosts: $0.photos.map(\.host)) }
            ?? .origin(port: origin.port, count: options.origin.images)
    }

    static func parsed(_ line: [UInt8]) throws(BenchError) -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: line)
        } catch {
            throw BenchError(.broken, "a part of the bench answered what is no JSON: \(error)")
        }
    }
}

/// The origin's process.
private final class RunningOrigin {
    let port: Int
    private let child: ChildProcess

    init(_ executable: String, _ options: LoaderBenchOptions) throws(BenchError) {
        child = try ChildProcess(executable, [BenchPart.word, BenchPart.origin.rawValue])
        var json = JSONWriter()
        json.object { json in
            guard let recording = options.recording else { return options.origin.write(to: &json) }
            json.member("seed", options.origin.seed)
            json.member("bandwidth", options.replayedBandwidth)
            json.member("photos", array: { list in for photo in recording.photos { photo.write(to: &list) } })
        }
        port = try LoaderBench.parsed(try child.ask(json.bytes)).count("port")
    }

    /// What it was asked for and took until now.
    func cost() throws(BenchError) -> LoaderSample.OriginCost {
        try LoaderSample.OriginCost(LoaderBench.parsed(try child.ask([])))
    }
}

/// A folder of the sweep's own, which is gone behind it.
private struct ScratchFolder {
    let path: String

    init(in parent: String?) throws(BenchError) {
        let place = unsafe parent ?? getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/sluice-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw BenchError(.local, "cannot make a folder in \(place): \(unsafe String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() {
        if let folder = try? Folder(path), let names = try? folder.names() {
            for name in names { try? folder.remove(name) }
        }
        unsafe rmdir(path)
    }
}

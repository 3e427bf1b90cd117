// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench
internal import SluiceEngine

/// The modes of `bench`.
enum BenchMode: String, CaseIterable {
    case loader, compare
}

/// The parsed options of `bench`.
struct BenchArguments {
    /// The range of concurrent loads of a mirror with `--concurrency auto`.
    static let auto = MirrorOptions.initialConcurrency...MirrorOptions.maximumConcurrency

    /// The settings to compare with `bench loader`.
    var loader: LoaderBenchOptions = {
        var sweep = LoaderBenchOptions()
        sweep.auto = auto
        return sweep
    }()
    /// The file of URLs to load instead of the origin's pictures.
    var list: String?
    /// Whether the user confirmed the requests to real hosts.
    var isConfirmed = false
    /// The files to write results to, with their formats.
    var exports: [(format: ExportFormat, file: String)] = []
    /// Whether the user set `--concurrency`.
    var hasConcurrency = false
    /// Whether the user set `--fault`; the first one replaces the preset's faults.
    var hasFaults = false
    /// The parts of the network that the user set, which no preset replaces.
    private var networkChanges: [@Sendable (inout OriginProfile) -> Void] = []

    /// Sets the preset of the network, but keeps the parts that the user set before.
    mutating func setNetwork(_ preset: NetworkPreset) {
        loader.origin.setNetwork(preset)
        for change in networkChanges { change(&loader.origin) }
    }

    /// Sets a part of the network, also for a preset that follows.
    mutating func changeNetwork(_ change: @escaping @Sendable (inout OriginProfile) -> Void) {
        networkChanges.append(change)
        change(&loader.origin)
    }
}

/// Parsers for the values of `bench` options.
extension Argument {
    /// Parses comma-separated whole numbers; gives each once, in ascending order.
    func counts(to maximum: Int) throws(InvalidValue) -> [Int] {
        var counts: Set<Int> = []
        for part in parts {
            var argument = self
            argument.text = part
            guard let count = try? argument.count(from: 1, to: maximum) else {
                throw InvalidValue("comma-separated whole numbers from 1 to \(maximum), e.g. 1,4,16")
            }
            counts.insert(count)
        }
        return counts.sorted()
    }

    /// Parses comma-separated whole numbers, among which `auto` stands for an adaptive number.
    func concurrencies(to maximum: Int) throws(InvalidValue) -> (counts: [Int], hasAuto: Bool) {
        let fixed = parts.filter { $0 != "auto" }
        guard !fixed.isEmpty else { return ([], true) }
        var argument = self
        argument.text = fixed.joined(separator: ",")
        return (try argument.counts(to: maximum), fixed.count < parts.count)
    }

    /// Parses comma-separated raw values of `type`; gives each once.
    func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
        of type: Choice.Type
    ) throws(InvalidValue) -> [Choice] {
        var choices: [Choice] = []
        for part in parts {
            var argument = self
            argument.text = part
            let choice = try argument.choice(of: type)
            if !choices.contains(choice) { choices.append(choice) }
        }
        return choices
    }

    /// Parses comma-separated side lengths of thumbnails; `nil` stands for `none`.
    func sideLengths() throws(InvalidValue) -> [Int?] {
        var sides: [Int?] = []
        for part in parts {
            let side = part == "none" ? nil : Int(part)
            guard part == "none" || side.map({ (1...16383).contains($0) }) ?? false else {
                throw InvalidValue("none or comma-separated side lengths from 1 to 16383, e.g. none,256")
            }
            if !sides.contains(side) { sides.append(side) }
        }
        return sides
    }

    /// Parses a time; `0` and `none` give zero.
    func delay() throws(InvalidValue) -> Duration { text == "0" || text == "none" ? .zero : try duration() }

    /// Parses a number of bytes per second; `none` gives no limit.
    func bandwidthLimit() throws(InvalidValue) -> Int? { text == "none" ? nil : try bytes() }

    /// Parses a share of the requests and the fault to inject into them; `none` gives `nil`.
    func fault() throws(InvalidValue) -> BenchFault? {
        if text == "none" { return nil }
        let kinds = BenchFault.Kind.allCases.map(\.rawValue)
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        var share = self
        share.text = fields.first.map(String.init) ?? ""
        guard fields.count == 2, let percent = try? share.percentage(),
            let kind = BenchFault.Kind(rawValue: "\(fields[1])")
        else {
            throw InvalidValue(
                "none, or a percentage and a fault, e.g. 5%:timeout (faults: \(kinds.joined(separator: ", ")))")
        }
        return BenchFault(share: percent / 100, kind: kind)
    }
}

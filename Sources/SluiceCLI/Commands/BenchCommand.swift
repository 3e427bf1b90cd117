// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

extension Command {
    static let bench = Command(
        name: .bench,
        summary: "Measure how the loader behaves",
        about: [
            """
            `loader` loads a set of pictures with each setting, again and again, and tells for each how many a second came, \
            how sure that is, what they cost, and what kept it from being faster; then where more loads at once stop \
            helping, and which setting is best. The pictures come from an origin in a process of its own, with the \
            latency, the bandwidth, the losses and the faults that are asked for, so that no network is needed and the \
            same seed gives the same work.
            """
        ],
        positionals: [
            Positional(
                name: "loader", help: "What to measure", completion: .words(["loader"]), isClosed: true)
        ],
        examples: [
            Example(line: "sluice bench loader", meaning: "1 to 256 loads at once, five samples each"),
            Example(
                line: "sluice bench loader --latency 200ms --fault none --concurrency 8,32,128",
                meaning: "a host far away without faults"),
            Example(
                line: "sluice bench loader --against urls.txt --http 1.1,2",
                meaning: "what a measurement of real hosts would ask of them"),
        ],
        run: { options, console in
            do {
                return try benchLoader(options, console)
            } catch {
                return console.fail(error)
            }
        })

    private static func benchLoader(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        var sweep = options.bench.loader
        if let list = options.bench.list {
            sweep.addresses = try LoaderBenchOptions.addresses(inFile: list)
            if !options.bench.namesConcurrency { sweep.concurrency = LoaderBenchOptions.politeConcurrency }
            guard options.bench.agrees else {
                console.tell("\(sweep.promise): say --yes if that is meant")
                return .usage
            }
        }
        let stopped = Locked<Int32?>(nil)
        let meter = Meter(on: console, isQuiet: options.isQuiet, isJSON: false)
        let signals = Signals(
            first: { number in stopped.withLock { $0 = number } }, beforeEnd: { meter.clear() })
        defer { signals.end() }
        let report = try LoaderBench(sweep, executable: ownPath()).run(
            telling: { progress in
                meter.show("\(progress.number) of \(progress.count): \(progress.label)")
            }, goesOn: { stopped.withLock { $0 } == nil })
        meter.clear()
        for line in LoaderTable(report, style: console.outStyle).lines { console.print(line) }
        if !options.isQuiet { for doubt in report.doubts { console.tell(doubt) } }
        if let number = stopped.withLock({ $0 }) { return .signal(number) }
        return .done
    }
}

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

extension Command {
    static let bench = Command(
        name: .bench,
        summary: "Measure how the loader and the codecs behave",
        about: [
            """
            `loader` loads a set of pictures with each setting, again and again, and tells for each how many a second came, \
            how sure that is, what they cost, and what kept it from being faster; then where more loads at once stop \
            helping, and which setting is best. The pictures come from an origin in a process of its own, with the \
            latency, the bandwidth, the losses and the faults that are asked for, so that no network is needed and the \
            same seed gives the same work.
            """,
            """
            `imaging` makes thumbnails of generated photographs in memory, for each format, width, quality mode and number of \
            workers, and encodes them, and tells how many a second it made and what each cost the processors.
            """,
            """
            `compare` holds two results that were written with --export-json against each other, setting by setting: \
            faster, slower, or no difference beyond the noise. Its exit code is 3 if any is slower.
            """,
        ],
        positionals: [
            Positional(
                name: "loader|imaging|compare", help: "What to measure, or that results are compared",
                completion: .words(["loader", "imaging", "compare"]), isClosed: true),
            Positional(name: "BEFORE", help: "The result to compare with", isRequired: false, completion: .file),
            Positional(name: "AFTER", help: "The result that is compared", isRequired: false, completion: .file),
        ],
        examples: [
            Example(line: "sluice bench loader", meaning: "1 to 256 loads at once, five samples each"),
            Example(
                line: "sluice bench loader --latency 200ms --fault none --concurrency 8,32,128",
                meaning: "a host far away without faults"),
            Example(
                line: "sluice bench loader --against urls.txt --http 1.1,2",
                meaning: "what a measurement of real hosts would ask of them"),
            Example(line: "sluice bench loader --export-html loader.html", meaning: "with charts"),
            Example(
                line: "sluice bench imaging --formats jpeg --modes good",
                meaning: "thumbnails of JPEGs, 1 worker and all"),
            Example(line: "sluice bench compare before.json after.json", meaning: "whether anything became slower"),
        ],
        run: { options, console in
            do {
                return try bench(options, console)
            } catch {
                return console.fail(error)
            }
        })

    private static func bench(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        let words = options.positionals
        guard words[0] == "compare" else {
            guard words.count == 1 else { throw UsageError("bench \(words[0]) takes nothing behind it") }
            return try words[0] == "imaging" ? benchImaging(options, console) : benchLoader(options, console)
        }
        guard words.count == 3 else {
            throw UsageError("bench compare needs two results, as in: sluice bench compare before.json after.json")
        }
        return tell(try BenchComparison(BenchFile(words[1]), BenchFile(words[2])), console)
    }

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
        return try BenchRun(options: options, console: console).run { progress, goesOn throws(BenchError) in
            try LoaderBench(sweep, executable: ownPath()).run(telling: progress, goesOn: goesOn)
        }
    }

    private static func benchImaging(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        try BenchRun(options: options, console: console).run { progress, goesOn throws(BenchError) in
            try ImagingBench(options.bench.imaging).run(telling: progress, goesOn: goesOn)
        }
    }

    private static func tell(_ comparison: BenchComparison, _ console: Console) -> ExitCode {
        for line in comparison.lines {
            let change = "\(decimal(line.before)) -> \(decimal(line.after)) (\(decimal(line.comparison.ratio * 100))%)"
            console.print("\(escaped(line.name)): \(change), \(line.comparison.verdict.words)")
        }
        console.print(comparison.verdict)
        for doubt in comparison.doubts { console.tell(escaped(doubt)) }
        return comparison.count(.slower) > 0 ? .slower : .done
    }
}

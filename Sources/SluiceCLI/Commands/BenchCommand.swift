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
            `replay` plays a run that was mirrored with --trace again: the origin has each of its photos wait and take as \
            long as it did, from as many hosts, and what failed fails. So other settings can be tried on it; the run itself \
            stands above them. The file is the mirror's report.json, or the trace itself.
            """,
            """
            `imaging` makes thumbnails of generated photographs in memory, for each format, width, quality mode and number of \
            workers, and encodes them. It tells how many a second it made, how fast it decodes, makes smaller and encodes, \
            each beside the floor, which is the codec alone, and what a picture cost the processors.
            """,
            """
            `compare` holds two results that were written with --export-json against each other, setting by setting: \
            faster, slower, or no difference beyond the noise. Its exit code is 3 if any is slower.
            """,
        ],
        positionals: [
            Positional(
                name: subjects.joined(separator: "|"), help: "What to measure, or that results are compared",
                completion: .words(subjects), isClosed: true),
            Positional(
                name: "FILE", help: "The run to replay, or the result to compare with", isRequired: false,
                completion: .file),
            Positional(
                name: "OTHER", help: "The run's trace, or the result that is compared", isRequired: false,
                completion: .file),
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
            Example(
                line: "sluice bench replay photos/report.json --per-host 6,12",
                meaning: "a run that was mirrored with --trace, with other bounds for a host"),
            Example(line: "sluice bench compare before.json after.json", meaning: "whether anything became slower"),
        ],
        run: { options, console in
            do {
                return try bench(options, console)
            } catch {
                return console.fail(error)
            }
        })

    private static let subjects = BenchSubject.allCases.map(\.rawValue)

    private static func bench(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        let words = options.positionals
        guard let subject = BenchSubject(rawValue: words[0]) else {
            preconditionFailure("the parser takes no other word than \(subjects)")
        }
        try check(options, for: subject)
        switch subject {
        case .compare:
            guard words.count == 3 else {
                throw UsageError("bench compare needs two results, as in: sluice bench compare before.json after.json")
            }
            return tell(try BenchComparison(BenchFile(words[1]), BenchFile(words[2])), console)
        case .replay:
            guard words.count > 1 else {
                throw UsageError("bench replay needs a run's report, as in: sluice bench replay photos/report.json")
            }
            return try benchReplay(options, Recording(words[1], trace: words.count > 2 ? words[2] : nil), console)
        case .loader, .imaging:
            guard words.count == 1 else { throw UsageError("bench \(subject) takes nothing behind it") }
            return try subject == .imaging ? benchImaging(options, console) : benchLoader(options, console)
        }
    }

    /// Refuses an option that would change nothing; one that is set for every bench is passed over.
    private static func check(_ options: RawOptions, for subject: BenchSubject) throws(UsageError) {
        let idle = options.settings.first {
            $0.origin == .argument && $0.flag.category == .bench && !$0.flag.subjects.contains(subject)
        }
        guard let idle else { return }
        let owners = BenchSubject.allCases.filter(idle.flag.subjects.contains).map(\.rawValue)
        throw UsageError(
            "\(idle.argument.spelling) is an option of bench \(owners.joined(separator: " and ")), not of \(subject)")
    }

    private static func benchLoader(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        var sweep = options.bench.loader
        if let list = options.bench.list {
            sweep.addresses = try LoaderBenchOptions.addresses(inFile: list)
            if !options.bench.namesConcurrency {
                sweep.concurrency = LoaderBenchOptions.politeConcurrency
                sweep.auto = nil
            }
            guard options.bench.agrees else {
                console.tell("\(sweep.promise): say --yes if that is meant")
                return .usage
            }
        }
        return try BenchRun(options: options, console: console).run { progress, goesOn throws(BenchError) in
            try LoaderBench(sweep, executable: ownPath()).run(telling: progress, goesOn: goesOn)
        }
    }

    private static func benchReplay(
        _ options: RawOptions, _ recording: Recording, _ console: Console
    ) throws -> ExitCode {
        let named = options.bench.loader
        var sweep = named
        sweep.replay(recording)
        if options.bench.namesConcurrency { sweep.concurrency = named.concurrency } else { sweep.auto = nil }
        if !named.perHost.isEmpty { sweep.perHost = named.perHost }
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

// SPDX-License-Identifier: MIT

internal import SluiceBench

extension Command {
    static let bench = Command(
        name: .bench,
        summary: "Measure the performance of the loader",
        about: [
            """
            `loader` loads a set of pictures with each setting, several times. For each setting it prints the photos \
            per second with a confidence interval and the cost; then the number of concurrent loads at which more \
            stop helping, and the best setting. The pictures come from an origin in a separate process, which \
            simulates latency, bandwidth, packet loss and faults (--network). Therefore no network is needed, and the \
            same seed gives the same work. With \
            faults, each setting is measured without and with them.
            """,
            """
            `compare` compares two results that were written with --export-json, setting by setting: faster, slower, \
            or no significant difference. Its exit code is 3 if any setting is slower.
            """,
        ],
        positionals: [
            Positional(
                name: modeNames.joined(separator: "|"), help: "Benchmark to run, or compare",
                completion: .words(modeNames), isClosed: true),
            Positional(
                name: "FILE", help: "Result to compare with", isRequired: false, completion: .file),
            Positional(
                name: "OTHER", help: "Result to compare", isRequired: false, completion: .file),
        ],
        examples: [
            Example(line: "sluice bench loader", meaning: "1 to 256 concurrent loads, five samples each"),
            Example(
                line: "sluice bench loader --latency 200ms --concurrency 8,32,128", meaning: "a distant host"),
            Example(
                line: "sluice bench loader --network faulty --concurrency 16,64",
                meaning: "what faults cost, compared with the same network without them"),
            Example(
                line: "sluice bench loader --against urls.txt --http 1.1,2",
                meaning: "print the requests that a measurement of real hosts would send"),
            Example(line: "sluice bench loader --export-json before.json", meaning: "write the results for compare"),
            Example(
                line: "sluice bench compare before.json after.json", meaning: "check whether any setting became slower"),
        ],
        run: { options, console in try bench(options, console) })

    private static let modeNames = BenchMode.allCases.map(\.rawValue)

    private static func bench(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        let words = options.positionals
        guard let mode = BenchMode(rawValue: words[0]) else {
            preconditionFailure("the parser accepts only \(modeNames)")
        }
        switch mode {
        case .compare:
            try rejectOptions(options)
            guard words.count == 3 else {
                throw UsageError(
                    "bench compare needs two results, for example: sluice bench compare before.json after.json")
            }
            return printComparison(try BenchComparison(BenchResultFile(words[1]), BenchResultFile(words[2])), console)
        case .loader:
            guard words.count == 1 else { throw UsageError("bench loader takes no further arguments") }
            return try benchLoader(options, console)
        }
    }

    /// Rejects arguments that only `loader` uses.
    ///
    /// Options from files and variables may be there for `loader`.
    private static func rejectOptions(_ options: RawOptions) throws(UsageError) {
        let unused = options.settings.first { $0.source == .argument && $0.flag.category == .bench }
        guard let unused else { return }
        throw UsageError("\(unused.argument.spelling) is an option of bench loader, not of compare")
    }

    private static func benchLoader(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        var sweep = options.bench.loader
        if let list = options.bench.list {
            sweep.addresses = try LoaderBenchOptions.addresses(inFile: list)
            if !options.bench.hasConcurrency {
                sweep.concurrency = LoaderBenchOptions.politeConcurrency
                sweep.auto = nil
            }
            guard options.bench.isConfirmed else {
                console.printMessage("\(sweep.trafficSummary); repeat with --yes to confirm")
                return .usage
            }
        }
        return try BenchRun(options: options, console: console).run { progress, shouldContinue throws(BenchError) in
            try LoaderBench(sweep, executable: executablePath()).run(progress: progress, shouldContinue: shouldContinue)
        }
    }

    private static func printComparison(_ comparison: BenchComparison, _ console: Console) -> ExitCode {
        for line in comparison.lines {
            let change = "\(decimal(line.before)) -> \(decimal(line.after)) (\(decimal(line.comparison.ratio * 100))%)"
            console.print("\(escaped(line.name)): \(change), \(line.comparison.verdict.displayName)")
        }
        console.print(comparison.verdict)
        for warning in comparison.warnings { console.printMessage(escaped(warning)) }
        return comparison.count(.slower) > 0 ? .slower : .done
    }
}

/// Runs a benchmark: shows its progress, handles Ctrl-C, and prints or exports the results.
struct BenchRun {
    let options: RawOptions
    let console: Console

    /// Measures until the end or until a signal, then prints and exports the results so far.
    func run(
        _ measure: ((BenchProgress) -> Void, () -> Bool) throws(BenchError) -> LoaderReport
    ) throws -> ExitCode {
        let progressLine = ProgressLine(on: console, options.output) {}
        defer { progressLine.end() }
        var hasHead = false
        let report: LoaderReport
        do throws(BenchError) {
            report = try measure(
                { progress in
                    switch progress {
                    case .started(let number, let count, let label):
                        progressLine.show("\(number) of \(count): \(label)")
                    case .firstResult(let row):
                        guard !options.output.isQuiet, !exportsToOutput else { return }
                        progressLine.clear()
                        printFirstResult(row, hasHead: hasHead)
                        hasHead = true
                    }
                }, { progressLine.exitCode == nil })
        } catch {
            progressLine.clear()
            // A signal may also have ended a child process, so its error needs no message.
            if let code = progressLine.exitCode { return code }
            throw error
        }
        progressLine.clear()
        if hasHead { console.print("") }
        try output(report)
        return progressLine.exitCode ?? .done
    }

    private var exportsToOutput: Bool { options.bench.exports.contains { $0.file == "-" } }

    /// Prints a setting's first sample as soon as it is there.
    private func printFirstResult(_ table: ResultTable, hasHead: Bool) {
        let numbers = Set(table.head.indices).subtracting(table.textColumns)
        let lines = TextTable(head: table.head, rows: table.rows, rightColumns: numbers).lines(style: console.outStyle)
        if !hasHead { console.print("first samples") }
        for line in hasHead ? lines.dropFirst() : lines[...] { console.print(line) }
    }

    private func output(_ report: LoaderReport) throws(BenchError) {
        for export in options.bench.exports where export.file != "-" {
            try report.export(as: export.format, to: export.file)
        }
        if let export = options.bench.exports.first(where: { $0.file == "-" }) {
            console.out.write(report.exported(as: export.format))
        } else {
            for condition in report.conditions { console.print(condition) }
            for line in BenchTable(report.table, style: console.outStyle).lines { console.print(line) }
            for finding in report.findings { console.print(console.outStyle.paint(finding, .green)) }
        }
        if !options.output.isQuiet { for warning in report.warnings { console.printMessage(warning) } }
    }
}

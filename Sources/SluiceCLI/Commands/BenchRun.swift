// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench
internal import SluiceModel

/// Runs a benchmark: shows its progress, handles Ctrl-C, and prints or exports the results.
struct BenchRun {
    let options: RawOptions
    let console: Console

    /// Measures until the end or until a signal, then prints and exports the results so far.
    func run<Report: BenchReport>(
        _ measure: ((BenchProgress) -> Void, () -> Bool) throws(BenchError) -> Report
    ) throws -> ExitCode {
        let progressLine = ProgressLine(on: console, isQuiet: options.output.isQuiet, isJSON: false)
        var hasHead = false
        let signals = SignalHandler(onFirst: { _ in }, beforeExit: { progressLine.clear() })
        defer { signals.stop() }
        let report: Report
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
                }, { signals.exitCode == nil })
        } catch {
            progressLine.clear()
            // A signal may also have ended a child process, so its error needs no message.
            if let code = signals.exitCode { return code }
            throw error
        }
        progressLine.clear()
        if hasHead { console.print("") }
        try output(report)
        return signals.exitCode ?? .done
    }

    private var exportsToOutput: Bool { options[BenchArguments.self].exports.contains { $0.file == "-" } }

    /// Prints a setting's first sample as soon as it is there.
    private func printFirstResult(_ table: ResultTable, hasHead: Bool) {
        let numbers = Set(table.head.indices).subtracting(table.textColumns)
        let lines = TextTable(head: table.head, rows: table.rows, rightColumns: numbers).lines(style: console.outStyle)
        if !hasHead { console.print("first samples") }
        for line in hasHead ? lines.dropFirst() : lines[...] { console.print(line) }
    }

    private func output(_ report: some BenchReport) throws(BenchError) {
        for export in options[BenchArguments.self].exports where export.file != "-" {
            try report.export(as: export.format, to: export.file)
        }
        if let export = options[BenchArguments.self].exports.first(where: { $0.file == "-" }) {
            console.out.write(report.exported(as: export.format))
        } else {
            for condition in report.conditions { console.print(condition) }
            for line in BenchTable(report.table, style: console.outStyle).lines { console.print(line) }
            for finding in report.findings { console.print(console.outStyle.paint(finding, .green)) }
        }
        if !options.output.isQuiet { for warning in report.warnings { console.printMessage(warning) } }
    }
}

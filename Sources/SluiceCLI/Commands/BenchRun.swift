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
        let signals = SignalHandler(onFirst: { _ in }, beforeExit: { progressLine.clear() })
        defer { signals.stop() }
        let report: Report
        do throws(BenchError) {
            report = try measure(
                { progressLine.show("\($0.number) of \($0.count): \($0.label)") }, { signals.exitCode == nil })
        } catch {
            progressLine.clear()
            // Ctrl-C also ends the child processes of the benchmark, so an error from them needs no message.
            if let code = signals.exitCode { return code }
            throw error
        }
        progressLine.clear()
        try output(report)
        return signals.exitCode ?? .done
    }

    private func output(_ report: some BenchReport) throws(BenchError) {
        for export in options[BenchArguments.self].exports where export.file != "-" {
            try report.export(as: export.format, to: export.file)
        }
        if let export = options[BenchArguments.self].exports.first(where: { $0.file == "-" }) {
            console.out.write(report.exported(as: export.format))
        } else {
            for line in BenchTable(report.table, style: console.outStyle).lines { console.print(line) }
            for finding in report.findings { console.print(console.outStyle.paint(finding, .green)) }
        }
        if !options.output.isQuiet { for warning in report.warnings { console.printMessage(warning) } }
    }
}

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

/// A bench under way: its progress, Ctrl-C, and where its results go.
struct BenchRun {
    let options: RawOptions
    let console: Console

    /// Measures until it is done or told to stop, and gives out what there is by then.
    func run<Report: BenchReport>(
        _ measure: ((BenchProgress) -> Void, () -> Bool) throws(BenchError) -> Report
    ) throws -> ExitCode {
        let stopped = Locked<Int32?>(nil)
        let meter = Meter(on: console, isQuiet: options.isQuiet, isJSON: false)
        let signals = Signals(first: { number in stopped.withLock { $0 = number } }, beforeEnd: { meter.clear() })
        defer { signals.end() }
        let report: Report
        do throws(BenchError) {
            report = try measure(
                { meter.show("\($0.number) of \($0.count): \($0.label)") }, { stopped.withLock { $0 } == nil })
        } catch {
            meter.clear()
            // Ctrl-C reaches the bench's other processes, too: that they ended is then no news.
            if let number = stopped.withLock({ $0 }) { return .signal(number) }
            throw error
        }
        meter.clear()
        try give(report)
        if let number = stopped.withLock({ $0 }) { return .signal(number) }
        return .done
    }

    private func give(_ report: some BenchReport) throws(BenchError) {
        for export in options.bench.exports where export.file != "-" {
            try report.export(as: export.format, to: export.file)
        }
        if let export = options.bench.exports.first(where: { $0.file == "-" }) {
            console.out.write(report.exported(as: export.format))
        } else {
            for line in BenchTable(report.table, style: console.outStyle).lines { console.print(line) }
            for finding in report.findings { console.print(console.outStyle.paint(finding, .green)) }
        }
        if !options.isQuiet { for doubt in report.doubts { console.tell(doubt) } }
    }
}

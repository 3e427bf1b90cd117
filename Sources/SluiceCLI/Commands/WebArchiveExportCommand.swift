// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceModel

extension Command {
    /// Packages the WARC of a mirror.
    static func exportWebArchive(to output: String, _ options: RawOptions, _ console: Console) throws -> ExitCode {
        guard let archive = options.mirror.archive else {
            throw UsageError("--layout wacz needs --warc FILE, the file that `sluice mirror --warc FILE` wrote")
        }
        let selecting = Flag.export.map(\.long).filter { $0 != "layout" } + ["blocklist"]
        if let name = selecting.first(where: options.isArgument) {
            throw UsageError("--layout wacz packages the whole WARC, so --\(name) is not possible")
        }
        let export = WebArchiveExport(
            of: options.positionals[0], archive: archive, into: output, buckets: options.mirror.buckets)
        let progressLine = ProgressLine(on: console, isQuiet: options.output.isQuiet, isJSON: false)
        let signals = SignalHandler(onFirst: { _ in export.stop() }, beforeExit: { progressLine.clear() })
        defer {
            signals.stop()
            progressLine.clear()
        }
        let report = try export.run { report in progressLine.show("copied \(byteText(report.bytes)) of the WARC") }
        progressLine.clear()
        guard !report.isStopped else {
            console.printMessage("stopped: \(output) is not written")
            return signals.exitCode ?? .done
        }
        let contents = [
            counted(report.pages, "photo"), counted(report.records, "response"),
            counted(report.files, "WARC file"),
        ]
        console.printMessage("\(contents.joined(separator: ", ")), \(byteText(report.bytes))")
        if report.missing > 0 {
            console.printMessage(
                "the WARC does not have \(counted(report.missing, "photo")) of the mirror: runs without --warc downloaded them, or copied them"
            )
        }
        return .done
    }
}

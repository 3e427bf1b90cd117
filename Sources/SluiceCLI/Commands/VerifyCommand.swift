// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let verify = Command(
        name: .verify,
        summary: "Hold every file of a mirror against its receipt",
        about: [
            """
            Reads every original and every thumbnail of the mirror in DIR, and prints a line for each that is missing, \
            changed (by size or SHA-256), damaged (with --deep: it cannot be decoded) or unreadable, and for each file \
            that the ledger does not know (extra). Nothing is written. Exits with 7 if anything but extra files was found.
            """,
            """
            With --repair those items are taken up again as a run would, from the addresses in the ledger and with the \
            options of the last run: originals are downloaded again, thumbnails made of the originals that stand. What \
            cannot be had again stays as it is. Then the same items are held against their receipts once more.
            """,
        ],
        positionals: [Positional(name: "DIR", help: "The mirror's folder", completion: .folder)],
        examples: [
            Example(line: "sluice verify demo-mirror", meaning: "is every file what it was?"),
            Example(line: "sluice verify demo-mirror --deep --json", meaning: "decode each, too; for a script"),
            Example(line: "sluice verify demo-mirror --repair", meaning: "fetch and make again what is broken"),
        ],
        run: { options, console in
            do throws(MirrorError) {
                return try await VerifyRun(options, console).run()
            } catch {
                return console.fail(error)
            }
        })
}

/// One verification under the user's eyes, and the repair behind it.
private struct VerifyRun {
    let folder: String
    let options: RawOptions
    let console: Console

    init(_ options: RawOptions, _ console: Console) {
        folder = options.positionals[0]
        self.options = options
        self.console = console
    }

    func run() async throws(MirrorError) -> ExitCode {
        let (first, signal) = try await verify(nil)
        if let code = console.out.exitCode { return code }
        if let signal { return .signal(signal) }
        guard options.repairs, !first.broken.isEmpty else { return first.isSound ? .done : .damaged }
        for (feed, broken) in first.broken.sorted(by: { $0.key < $1.key }) {
            let code = await Repair(of: broken, feed: feed, in: folder, options: options, console: console).run()
            // Whether items could be had again is told by the look that follows.
            guard [.done, .itemsFailed].contains(code) else { return code }
        }
        let (second, signalAgain) = try await verify(first.broken.values.flatMap(\.items).sorted())
        if let signalAgain { return .signal(signalAgain) }
        return second.isSound ? .done : .damaged
    }

    /// Looks at all items, or at some; says which signal ended it, if one did.
    private func verify(_ items: [Int]?) async throws(MirrorError) -> (VerificationReport, Int32?) {
        let verification = Verification(
            of: folder, isDeep: options.isDeep, items: items,
            isolation: options.isolates == false ? .none : .ownWorkers,
            noting: { [console] in console.tell("note: \(escaped($0))") })
        let stopped = Locked<Int32?>(nil)
        let meter = Meter(on: console, isQuiet: options.isQuiet, isJSON: options.isJSON)
        let signals = Signals(
            first: { number in
                stopped.withLock { $0 = number }
                verification.stop()
            }, beforeEnd: { meter.clear() })
        defer {
            signals.end()
            meter.clear()
        }
        let report = try await verification.run { report, all in
            meter.show("\(report.items) of \(counted(all, "photo")), \(byteText(report.bytes))")
        } _: { fault in
            meter.clear()
            if !tell(fault) { verification.stop() }
        }
        meter.clear()
        close(report, isAgain: items != nil)
        return (report, stopped.withLock { $0 })
    }

    private func tell(_ fault: FileFault) -> Bool {
        guard options.isJSON else {
            let word = fault.kind.rawValue + String(repeating: " ", count: 12 - fault.kind.rawValue.utf8.count)
            let detail = fault.detail.isEmpty ? "" : ": \(escaped(fault.detail))"
            let color: Style.Color = fault.kind == .extra ? .yellow : .red
            return console.out.write(
                "\(console.outStyle.paint(word, color))\(escaped(fault.path, columns: 1000))\(detail)\n")
        }
        let line = JSONLines.line("file-fault") { object in
            object.member("kind", fault.kind.rawValue)
            object.member("file", fault.path)
            object.member("item", fault.item)
            object.member("detail", fault.detail.isEmpty ? nil : fault.detail)
        }
        return console.out.write(line)
    }

    private func close(_ report: VerificationReport, isAgain: Bool) {
        if options.isJSON {
            let line = JSONLines.line("verified") { object in
                object.member("photos", report.items)
                object.member("files", report.files)
                object.member("bytes", report.bytes)
                for kind in FileFault.Kind.allCases { object.member(kind.rawValue, report.faults[kind] ?? 0) }
                object.member("stopped", report.isStopped)
            }
            console.out.write(line)
        }
        let faults = FileFault.Kind.allCases.compactMap { kind in report.faults[kind].map { "\($0) \(kind.rawValue)" } }
        let files = "\(counted(report.files, "file")) of \(counted(report.items, "photo")), \(byteText(report.bytes))"
        let verdict = faults.isEmpty ? isAgain ? "repaired" : "all as they should be" : faults.joined(separator: ", ")
        let color: Style.Color = report.isSound ? .green : .red
        let word = console.errStyle.paint(report.isStopped ? "stopped:" : "verified:", color)
        console.tell("\(word) \(files): \(verdict)")
        guard !report.broken.isEmpty, !options.repairs, !report.isStopped, !options.isQuiet else { return }
        console.tell("  sluice verify \(shellQuoted(folder)) --repair fetches and makes them again")
    }
}

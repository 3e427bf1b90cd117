// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let verify = Command(
        name: .verify,
        summary: "Verify files against their recorded checksums",
        about: [
            """
            Reads every original and thumbnail of the mirror in DIR. Prints one line for each file that is missing, \
            changed (size or SHA-256), damaged (with --deep: it cannot be decoded) or unreadable, and for each file \
            that is not in the ledger (extra), or that a killed command has left (unfinished). Files of the manifest \
            and the gallery are compared with those that the last run wrote. With --deep, also \
            prints files that are recorded as incomplete. Nothing is written. Exits with 7 if it finds anything except \
            extra and incomplete files.
            """,
            """
            With --deep, Sluice also makes the thumbnails of a sample of the photos again, and prints those that show \
            something else than their photo (different). It takes 1% of the photos (see --sample), and \
            \(ThumbnailSample.photosPerHost) of each host at least. The summary states how many photos it compared.
            """,
            """
            With --repair, processes the affected items again, with the URLs in the ledger and the options of the \
            last run: originals are downloaded, and thumbnails are recreated from intact originals. Items that \
            cannot be recovered stay unchanged. Then the same items are verified again. Options that the last run \
            used and the ledger may not set, such as --allow-address, have to be given again.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice verify demo-mirror", meaning: "verify every file"),
            Example(line: "sluice verify demo-mirror --deep --json", meaning: "also decode every file, for a script"),
            Example(line: "sluice verify demo-mirror --repair", meaning: "download or recreate broken files"),
        ],
        run: { options, console in try await VerifyRun(options: options, console: console).run() })
}

/// Runs a verification with progress, and then the repair.
private struct VerifyRun {
    let options: RawOptions
    let console: Console

    private var folder: String { options.positionals[0] }

    func run() async throws -> ExitCode {
        if options.sampleShare != nil, !options.verify.isDeep {
            throw MirrorError(.usage, "--sample needs --deep; other verifications decode nothing")
        }
        let repairs = options.verify.repairs
        if !repairs, let vain = arguments.first(where: { !$0.flag.commands.contains(.verify) }) {
            throw MirrorError(.usage, "--\(vain.flag.long) needs --repair; other verifications use only local files")
        }
        let (first, signalCode) = try await verify(nil)
        if let code = console.out.exitCode { return code }
        if let signalCode { return signalCode }
        guard repairs, !first.isStopped else { return first.isSound ? .done : .damaged }
        if first.broken.isEmpty {
            // An earlier repair may have been killed after its last photo.
            try PhotoMirror.complete(folder, buckets: options.mirror.buckets)
            guard !first.isSound else { return .done }
        }
        let permissions = Locked<[String]>([])
        for (feed, broken) in first.broken.sorted(by: { $0.key < $1.key }) {
            let repair = RepairRun(broken: broken, feed: feed, folder: folder, options: options, console: console)
            let code = try await repair.run { event in
                guard case .itemEnded(_, .failed(let receipt)) = event, let hint = receipt.failure?.hint else { return }
                permissions.withLock { all in all += hint.permissions.filter { !all.contains($0) } }
            }
            // The second verification reports whether the items were recovered.
            guard [.done, .itemsFailed].contains(code) else { return code }
        }
        if !first.isOutputSound { _ = try PhotoMirror.rebuild(folder, buckets: options.mirror.buckets) }
        let broken = first.isOutputSound ? first.broken.values.flatMap(\.items).sorted() : nil
        let (second, secondSignal) = try await verify(broken)
        if let secondSignal { return secondSignal }
        let missing = permissions.withLock { $0 }
        if !missing.isEmpty, !options.output.isQuiet {
            let words = ["sluice verify", shellQuoted(folder)] + arguments.words + missing
            console.printMessage("  to allow the refused addresses: \(words.joined(separator: " "))")
        }
        return second.isSound ? .done : .damaged
    }

    private var arguments: [Setting] { options.settings.filter { $0.source == .argument } }

    /// Verifies all items, or only `items`; also returns the exit code if a signal stopped the
    /// verification.
    private func verify(_ items: [Int]?) async throws(MirrorError) -> (VerificationReport, ExitCode?) {
        let verification = Verification(
            of: folder, isDeep: options.verify.isDeep, comparing: try sample(), items: items,
            isolation: options.decoding.isolation(isDefault: true), buckets: options.mirror.buckets,
            noting: { [console] in console.printMessage("note: \(escaped($0))") })
        let progressLine = ProgressLine(on: console, options.output) { verification.stop() }
        defer { progressLine.end() }
        let report = try await verification.run { report, all in
            progressLine.show("\(report.items) of \(counted(all, "photo")), \(byteText(report.bytes))")
        } _: { fault in
            progressLine.clear()
            if !printFault(fault) { verification.stop() }
        }
        progressLine.clear()
        printSummary(of: report, isAfterRepair: items != nil)
        return (report, progressLine.exitCode)
    }

    /// Returns the photos whose thumbnails are compared, with the options of the mirror's runs; `nil` without --deep.
    private func sample() throws(MirrorError) -> ThumbnailSample? {
        guard options.verify.isDeep else { return nil }
        let runs = try PhotoMirror.runs(in: folder, buckets: options.mirror.buckets)
        var sample = ThumbnailSample(
            of: runs.reversed().compactMap { try? RecordedCommand($0.words, from: .lastCommand).thumbnails })
        if let share = options.sampleShare { sample.share = share / 100 }
        return sample
    }

    /// Prints a fault; returns false if standard output is closed.
    private func printFault(_ fault: FileFault) -> Bool {
        guard options.output.isJSON else {
            let word = padded(fault.kind.rawValue, to: 12)
            let detail = fault.detail.isEmpty ? "" : ": \(escaped(fault.detail))"
            let color: Style.Color = [.extra, .incomplete].contains(fault.kind) ? .yellow : .red
            return console.out.write(
                "\(console.outStyle.paint(word, color))\(escaped(fault.path, columns: 1000))\(detail)\n")
        }
        let line = JSONEventWriter.line("file-fault") { object in
            object.member("kind", fault.kind.rawValue)
            object.member("file", fault.path)
            object.member("item", fault.item)
            object.member("detail", fault.detail.isEmpty ? nil : fault.detail)
        }
        return console.out.write(line)
    }

    private func printSummary(of report: VerificationReport, isAfterRepair: Bool) {
        if options.output.isJSON {
            let line = JSONEventWriter.line("verified") { object in
                object.member("photos", report.items)
                object.member("files", report.files)
                object.member("bytes", report.bytes)
                for kind in FileFault.Kind.allCases { object.member(kind.rawValue, report.faults[kind] ?? 0) }
                object.member("compared", report.compared)
                object.member("incomparable", report.incomparable)
                object.member("stopped", report.isStopped)
            }
            console.out.write(line)
        }
        let faults = FileFault.Kind.allCases.compactMap { kind in report.faults[kind].map { "\($0) \(kind.rawValue)" } }
        let files = "\(counted(report.files, "file")) of \(counted(report.items, "photo")), \(byteText(report.bytes))"
        let verdict = faults.isEmpty ? isAfterRepair ? "repaired" : "no faults" : faults.joined(separator: ", ")
        let color: Style.Color = report.isSound ? .green : .red
        let word = console.errStyle.paint(report.isStopped ? "stopped:" : "verified:", color)
        console.printMessage("\(word) \(files): \(verdict)")
        if report.compared + report.incomparable > 0, !options.output.isQuiet {
            let skipped = report.incomparable == 0 ? "" : "; \(report.incomparable) made with unknown options"
            console.printMessage(
                "  compared thumbnails of \(counted(report.compared, "photo")) with new ones\(skipped)")
        }
        guard !report.isSound, !options.verify.repairs, !report.isStopped, !options.output.isQuiet
        else { return }
        // Other verifications do not find the same faults.
        let deep = options.verify.isDeep ? " --deep" : ""
        let share = options.settings.first { $0.flag.long == "sample" }.map { " --sample \($0.displayedValue)" } ?? ""
        let purpose =
            !report.broken.isEmpty || !report.isOutputSound
            ? "download or recreate them" : "finish the interrupted command"
        console.printMessage(
            "  to \(purpose): sluice verify \(shellQuoted(folder))\(deep)\(share) --repair")
    }
}

/// Repairs the broken items of one feed, with the options of the last run of that feed.
struct RepairRun {
    let broken: BrokenItems
    let feed: String
    let folder: String
    let options: RawOptions
    let console: Console

    func run(observer: @escaping @Sendable (Event) -> Void) async throws -> ExitCode {
        let (run, memory, purpose) = try repairingRun()
        return await MonitoredRun(
            run: run, folder: folder, writesGallery: true, progress: RunProgress(purpose: purpose), memory: memory,
            options: options,
            console: console, observer: observer
        ).execute()
    }

    /// Returns a run with the options of the feed's last run, limited to the broken items.
    private func repairingRun() throws -> (run: any ControlledRun, memory: Int, purpose: RunPurpose) {
        guard
            let last = try PhotoMirror.runs(in: folder, buckets: options.mirror.buckets).last(where: { $0.reads(feed) })
        else {
            throw MirrorError(.damaged, "cannot repair '\(feed)': the ledger contains no run of this feed")
        }
        let recorded = try RecordedCommand(last.words, from: .lastCommand)
        guard let command = recorded.name, [.mirror, .thumbs].contains(command), !recorded.positionals.isEmpty,
            !recorded.isRequest
        else {
            throw UsageError(
                "cannot repair '\(feed)': the ledger has no command of its last run; run that again, then verify")
        }
        let out = Flag.named("out", of: command).map {
            Setting(flag: $0, argument: Argument(spelling: "--out", text: folder), source: .argument)
        }
        let repeated = try recorded.options(
            repeatedBy: .verify, in: folder, given: options, adding: [out].compactMap(\.self), console.environment)
        guard command == .thumbs else {
            let request = try MirrorRequest(repeated)
            return (
                PhotoMirror(of: request.sources, into: folder, options: request.options, repairing: broken),
                request.options.memory, .repair
            )
        }
        let request = try ThumbsRequest(repeated)
        let thumbnails = request.options(for: request.paths)
        return (
            ThumbnailRun(of: request.paths, into: folder, options: thumbnails, repairing: broken), thumbnails.memory,
            .thumbs
        )
    }
}

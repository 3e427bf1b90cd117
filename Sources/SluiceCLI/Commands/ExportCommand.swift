// SPDX-License-Identifier: MIT

internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let export = Command(
        name: .export,
        summary: "Export photos as shards for training",
        about: [
            """
            Writes the photos of the mirror in DIR as WebDataset shards to the folder --out: tar files 00000.tar, \
            00001.tar, ... Each photo consists of consecutive files: 000000012.jpg, 000000012.json (its manifest \
            line) and, if it has a caption, 000000012.txt. --layout chooses files for other readers. The same mirror \
            always gives the same bytes.
            """,
            """
            The same command continues an interrupted export and updates a complete one; finished shards are kept if \
            their photos have not changed.
            """,
            """
            Photos that are not done are left out, except from the tables of the layout img2dataset. Files that are \
            missing or have another length are left out too; then the exit code is 7, and `sluice verify` gives \
            details.
            """,
            """
            With --layout wacz and --warc FILE, the command packages the WARC that `sluice mirror --warc FILE` wrote as \
            one file --out for web archives. The photos of the mirror are its pages.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(
                line: "sluice export demo-mirror --out shards",
                meaning: "originals, up to 10,000 photos or 1 GB per shard"),
            Example(line: "sluice export demo-mirror --out small --size 256", meaning: "thumbnails of size 256"),
            Example(
                line: "sluice export demo-mirror --out data --layout huggingface --shuffle 1",
                meaning: "for datasets.load_dataset(\"data\")"),
            Example(
                line: "sluice export photos --layout wacz --warc photos.warc.gz --out photos.wacz",
                meaning: "the WARC of the mirror, for ReplayWeb.page"),
        ],
        run: { options, console in
            guard let output = options.output.folder else {
                throw UsageError("export needs --out, for example: sluice export demo-mirror --out shards")
            }
            if options.isWebArchive {
                return try exportWebArchive(to: output, options, console)
            }
            guard !options.isArgument("warc") else { throw UsageError("--warc needs --layout wacz") }
            var dataset = options.dataset
            guard dataset.captions == nil || dataset.layout == .folder else {
                throw UsageError("--captions needs --layout folder; other layouts have captions anyway")
            }
            guard dataset.stratum == nil || dataset.splits.count > 1 else {
                return console.fail(UsageError("--stratify needs --split with several parts, e.g. train:98,val:2"))
            }
            dataset.isolation = options.decoding.isolation(isDefault: true)
            dataset.memory = options.mirror.memory
            if let location = options.mirror.blocklist {
                dataset.blocklist = try await Blocklist(at: location)
            }
            let export = DatasetExport(
                of: options.positionals[0], into: output, options: dataset, buckets: options.mirror.buckets,
                isDryRun: options.isDryRun)
            let progressLine = ProgressLine(on: console, options.output) { export.stop() }
            defer { progressLine.end() }
            let report = try export.run { report in
                progressLine.show("\(counted(report.samples, "photo")) in \(counted(report.shards, "shard"))")
            }
            progressLine.clear()
            for path in report.broken {
                console.printError("cannot export '\(path)': the file is missing or has another length")
            }
            for picture in report.unconverted {
                console.printError("cannot convert '\(picture.path)': \(picture.failure)")
            }
            let amount = "\(counted(report.samples, "photo")) in \(counted(report.shards, "shard"))"
            let verb = report.keptShards == 1 ? "was" : "were"
            let kept = report.keptShards > 0 ? "; \(report.keptShards) of them \(verb) finished before" : ""
            let (start, end) = report.isStopped ? ("stopped: ", "; run again to continue") : ("", "")
            console.printMessage("\(options.dryRunPrefix)\(start)\(amount), \(byteText(report.bytes))\(kept)\(end)")
            if !dataset.embedded.isEmpty {
                let rest = report.unembedded > 0 ? ", and left \(report.unembedded) as they are" : ""
                console.printMessage(
                    "\(options.dryRunPrefix)wrote metadata into \(counted(report.embedded, "photo"))\(rest)")
            }
            if report.blocked > 0 {
                console.printMessage("left out \(counted(report.blocked, "photo")) on the blocklist")
            }
            if report.copies > 0 {
                console.printMessage(
                    "left out \(counted(report.copies, "copy", plural: "copies")) of exported photos (--unique)")
            }
            if report.reserved > 0 {
                console.printMessage(
                    "left out \(counted(report.reserved, "photo")) reserved from AI training; --respect none includes them"
                )
            }
            if let code = progressLine.exitCode { return code }
            guard report.broken.isEmpty else { return .damaged }
            guard report.unconverted.isEmpty else { return .itemsFailed }
            guard report.samples == 0, !report.isStopped else { return .done }
            console.printError(
                "cannot export '\(options.positionals[0])': it has no finished photo that meets the options")
            return .itemsFailed
        })
}

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
            of: options.positionals[0], archive: archive, into: output, buckets: options.mirror.buckets,
            isDryRun: options.isDryRun)
        let progressLine = ProgressLine(on: console, options.output) { export.stop() }
        defer { progressLine.end() }
        let report = try export.run { report in progressLine.show("copied \(byteText(report.bytes)) of the WARC") }
        progressLine.clear()
        guard !report.isStopped else {
            console.printMessage("stopped: \(output) is not written")
            return progressLine.exitCode ?? .done
        }
        let contents = [
            counted(report.pages, "photo"), counted(report.records, "response"),
            counted(report.files, "WARC file"),
        ]
        console.printMessage("\(options.dryRunPrefix)\(contents.joined(separator: ", ")), \(byteText(report.bytes))")
        if report.missing > 0 {
            console.printMessage(
                "the WARC does not have \(counted(report.missing, "photo")) of the mirror: runs without --warc downloaded them, or copied them"
            )
        }
        return .done
    }
}

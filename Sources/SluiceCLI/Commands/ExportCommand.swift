// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let export = Command(
        name: .export,
        summary: "Write a mirror's photos as shards for training",
        about: [
            """
            Writes the photos of the mirror in DIR as WebDataset shards into the folder that --out names: tar files \
            00000.tar, 00001.tar, ..., in which each photo has 000000012.jpg, 000000012.json (its line of the manifest) \
            and, with a caption, 000000012.txt, one behind the other. The same mirror gives the same bytes.
            """,
            """
            For a table of the facts read manifest.jsonl: every tool for Parquet does. Photos that are not done are left \
            out, and so are files that are missing or of another length: then the exit code is 7, and `sluice verify` \
            tells more.
            """,
        ],
        positionals: [Positional(name: "DIR", help: "The mirror's folder", completion: .folder)],
        examples: [
            Example(
                line: "sluice export demo-mirror --out shards", meaning: "the originals, 10,000 or 1 GB to a shard"),
            Example(line: "sluice export demo-mirror --out small --size 256", meaning: "the thumbnails of that size"),
        ],
        run: { options, console in
            guard let output = options.out else {
                return console.refuse(
                    UsageError("export needs a folder for the shards, as in: sluice export demo-mirror --out shards"))
            }
            let export = DatasetExport(of: options.positionals[0], into: output, options: options.dataset)
            let stopped = Locked<Int32?>(nil)
            let meter = Meter(on: console, isQuiet: options.isQuiet, isJSON: false)
            let signals = Signals(
                first: { number in
                    stopped.withLock { $0 = number }
                    export.stop()
                }, beforeEnd: { meter.clear() })
            defer { signals.end() }
            do throws(MirrorError) {
                let report = try export.run { report in
                    meter.show("\(counted(report.samples, "photo")) in \(counted(report.shards, "shard"))")
                }
                meter.clear()
                for path in report.broken { console.complain("\(path) is missing or of another length: left out") }
                let amount = "\(counted(report.samples, "photo")) in \(counted(report.shards, "shard"))"
                console.tell("\(report.isStopped ? "stopped: " : "")\(amount), \(byteText(report.bytes))")
                if let number = stopped.withLock({ $0 }) { return .signal(number) }
                return report.broken.isEmpty ? .done : .damaged
            } catch {
                meter.clear()
                return console.fail(error)
            }
        })
}

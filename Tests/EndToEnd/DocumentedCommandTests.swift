// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Runs the commands of README, documentation and help in a folder that has the files that they name.
@Suite("Commands in the documentation", .timeLimit(.minutes(10))) struct DocumentedCommandTests {
    /// Parts of the lines that are only parsed, with the reason.
    static let unrun = [
        ("unsplash:", "needs a key"), ("commons:", "needs the service"), ("iiif:", "needs the host"),
        ("oai:", "needs the host"),
        ("sluice mirror https:", "needs the host"), ("s3://", "BucketTests write to a bucket"),
        ("sluice mirror museum.json", "the service does not exist"),
        ("hf://", "needs the host"), ("https://example.org/photos.rss", "needs the host"),
        ("https://example.org/block.txt", "needs the host"),
        ("laion.parquet", "needs a file by another program"), ("data/train-", "needs files by another program"),
        ("posts.parquet", "needs a file by another program"),
        ("--reply", "RecordingsTests read replies of services"),
        ("sluice serve", "ends only with a signal; ServingTests do that"),
        ("sluice bench", "takes minutes; BenchTests run small measurements"),
        ("parallel", "Scripts/cluster-test runs it"), ("| jq", "needs jq"), ("| man", "needs man"),
    ]
    /// The lines to run, without repetitions.
    static let lines: [String] = {
        let commands = ((try? DocumentedCommand.all()) ?? []).filter(\.isBlock) + ((try? examples()) ?? [])
        return Set(commands.map(\.line)).filter { line in !unrun.contains { line.contains($0.0) } }.sorted()
    }()
    private static let workspace = Result { try Workspace() }

    /// The examples that the help of each command prints.
    private static func examples() throws -> [DocumentedCommand] {
        let table = try Binary.run(["manual", "--markdown"]).out
        return try table.matches(of: /\| `sluice ([a-z]+)/).flatMap { found in
            let help = try Binary.run(["help", String(found.1)]).out
            let lines = help.split(separator: "\n").filter { $0.hasPrefix("  sluice ") }
            return DocumentedCommand.all(in: lines.map { "  \($0)" }.joined(separator: "\n"), named: "help")
        }
    }

    @Test("There are commands to run on many pages, and every exception is needed")
    func selection() throws {
        let all = try DocumentedCommand.all().filter(\.isBlock) + Self.examples()
        for (part, _) in Self.unrun { #expect(all.contains { $0.line.contains(part) }, "\(part)") }
        #expect(Self.lines.count > 60)
        #expect(Self.lines.contains("sluice thumbs ~/Pictures --out small --sizes 320,1280 --format webp"))
        #expect(Self.lines.contains("sluice merge plan --out photos | sh"), "it is an example of the help")
    }

    @Test("A documented command succeeds", arguments: lines)
    func run(line: String) throws {
        let result = try Self.workspace.get().run(line)
        // `doctor` reports what this machine lacks.
        let isExpected = result.code == 0 || line == "sluice doctor" && result.code == 5
        #expect(isExpected, "\(line): \(result.out.suffix(300))\(result.err.suffix(600))")
    }
}

/// A folder with a mirror, lists, a plan and other files under the names that the documentation uses.
private struct Workspace {
    private let folder = TemporaryFolder()
    private let server: RawServer

    /// The values of the documentation's placeholders.
    private static let placeholders = ["SOURCE": "photos.csv", "DIR": "photos", "FOLDER": "downloads"]

    init() throws {
        let url = folder.url
        try FileManager.default.createDirectory(at: url.appending(path: "bin"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: url.appending(path: "files"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: url.appending(path: "bin/sluice"), withDestinationURL: URL(filePath: Binary.path))
        server = try RawServer(DemoPictures(6, in: folder).replies)
        let recipes = DocumentedCommand.repository.appending(path: "Documentation/recipes.md")
        try Binary.shell(
            Self.script, environment: environment(["RECIPES": recipes.path, "URL": server.url("")]),
            folder: url.appending(path: "files")
        ).require()
    }

    private static let script = #"""
        set -e
        mkdir Pictures downloads
        cp ../demo/thumbs/64/*.jpg Pictures
        set -- Pictures/*.jpg
        cp "$1" downloads/0.jpg
        cp "$1" dawn.jpg
        echo photo,nr,caption,width,label > pictures.csv
        for number in 0 1 2 3 4 5; do
            echo "$URL/$number.jpg" >> cats.txt
            echo "$URL/$number.jpg,$number,A lake,1080,lake" >> pictures.csv
        done
        sed '1s/photo/url/' pictures.csv > photos.csv
        sed 's/.*/{"url": "&", "width": 1200, "license": "CC0"}/' cats.txt > pictures.jsonl.zst
        printf '<rss version="2.0"><channel><item><enclosure url="%s/1.jpg" type="image/jpeg"/></item></channel></rss>' \
            "$URL" > saved.xml
        awk '/^    {$/ { found = 1 } found { print } /^    }$/ { exit }' "$RECIPES" > museum.json
        cp museum.json mine.json
        printf '#!/bin/sh\ncat cats.txt\n' > ../bin/gallery-dl
        chmod +x ../bin/gallery-dl
        mkdir lists more holiday scans
        cp photos.csv lists/1.csv
        cp Pictures/*.jpg holiday
        cp "$1" scans
        echo 0000000000000000 > block.txt
        printf '# lists\nlists/1.csv\n' > sources.txt
        sluice mirror photos.csv --out photos --sizes 64,256 --warc photos.warc.gz
        # `sluice diff` compares the third run with the fifth.
        for run in 2 3 4 5; do sluice mirror --out photos; done
        cp -r photos demo-mirror
        cp -r photos photos-mirror
        sluice lock photos > dataset.lock
        sluice plan photos.csv --shards 8 --out plan
        """#

    /// The address guard allows the server; each command and each process of a scheduler sees the same.
    private func environment(_ more: [String: String] = [:]) -> [String: String] {
        let common = [
            "PATH": "\(folder.path("bin")):/usr/bin:/bin", "SLUICE_ALLOW_PRIVATE": "1",
            "SLUICE_ALLOW_PORT": "\(server.port)", "SLUICE_ROBOTS": "0", "SLUICE_RETRIES": "0",
            "SLURM_ARRAY_TASK_ID": "5",
        ]
        return common.merging(more) { $1 }
    }

    /// Runs a line in a copy of the folder.
    func run(_ line: String) throws -> Binary.Result {
        let copy = TemporaryFolder()
        let files = copy.url.appending(path: "files")
        try FileManager.default.copyItem(at: folder.url.appending(path: "files"), to: files)
        var more = ["HOME": files.path]
        // The options keep the demo small.
        if line.contains("mirror demo"), !line.contains("--print-config") {
            more.merge(["SLUICE_MAX_ITEMS": "5", "SLUICE_VARIANT": "thumb", "SLUICE_SIZES": "64"]) { $1 }
        }
        let environment = environment(more)
        let prepared = try Binary.shell(
            permitted(Self.preparation(for: line)), environment: environment, folder: files)
        try #require(prepared.code == 0, "\(line): \(prepared.err)")
        let words = Self.placeholders.reduce(line) { $0.replacing($1.key, with: $1.value) }
        return try Binary.shell(permitted(words), environment: environment, folder: files)
    }

    /// Adds the options that the server needs to the commands that take them neither from a plan nor from variables.
    private func permitted(_ script: String) -> String {
        let options = "--allow-private --allow-port=\(server.port) --no-robots"
        return ["work", "merge", "plan --leftovers plan", "plan --append plan"].reduce(script) { script, command in
            script.replacing("sluice \(command) ", with: "sluice \(command) \(options) ")
        }
    }

    /// The commands that come before a line.
    private static func preparation(for line: String) -> String {
        func work(_ plan: String, _ shards: ClosedRange<Int>, to out: String = "photos") -> String {
            "for shard in \(shards.map(String.init).joined(separator: " ")); do "
                + "sluice work \(plan) --shard $shard --out \(out) || exit; done"
        }
        let leftovers = "sluice plan --leftovers plan --mirror photos --out plan2"
        var steps = ["set -e"]
        if line.contains("added") {
            // A plan has the absolute path of its list.
            steps += ["rm -r photos plan", "sluice plan photos.csv --shards 8 --out plan"]
            steps += [work("plan", 0...7), "sluice merge plan --out photos"]
            steps.append("sed -n '2s/jpg/jpg?new/p' photos.csv > new.csv; cat new.csv >> photos.csv")
            if !line.contains("--append") { steps.append("sluice plan --append plan --shards 4 --out added") }
            if line.hasPrefix("sluice merge") { steps.append(work("added", 0...3)) }
        } else if line.contains("plan2") {
            steps += ["rm -r photos", work("plan", 1...3)]
            if !line.contains("--leftovers") { steps.append(leftovers) }
            if line.hasPrefix("sluice merge") {
                steps.append(
                    "for shard in $(seq 0 $(($(ls plan2/shards | wc -l) - 1))); do "
                        + "sluice work plan2 --shard $shard --out photos; done")
            }
        } else if line.hasPrefix("sluice merge plan --out data") {
            steps.append(work("plan", 0...7, to: "data --layout webdataset"))
        } else if line.hasPrefix("sluice merge") {
            steps.append("rm -r photos")
            if !line.hasSuffix("| sh") { steps.append(work("plan", 0...7)) }
        } else if line.hasPrefix("sluice plan") {
            steps.append("rm -r plan")
        }
        return steps.joined(separator: "\n")
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Plans whose command has options that a plan must not set.
///
/// A plan used to be a complete command line: `work` and `merge` obeyed `--trace`, `--netrc`, `--proxy` and all others
/// of a plan from a stranger. They could overwrite files and send passwords to other hosts.
@Suite("Plans from strangers", .timeLimit(.minutes(10))) struct ForgedPlanTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let words = ["--pages=1", "--per-page=2", "--variant=thumb", "--sizes=64", "--shards=1", "-o", "plan"]
        let result = try Binary.run(["plan", "demo"] + words, folder: folder.url)
        try #require(result.code == 0, "\(result.err)")
    }

    private func run(_ line: String) throws -> Binary.Result {
        try Binary.shell("sluice \(line)", environment: ["HOME": folder.path], folder: folder.url)
    }

    /// Adds words to the command of the plan.
    private func forge(_ words: [String]) throws {
        let file = folder.url.appending(path: "plan/plan.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let added = words.map { #","\#($0)""# }.joined()
        let forged = text.replacing(#""--sizes=64""#, with: #""--sizes=64"\#(added)"#)
        try #require(forged != text)
        try Data(forged.utf8).write(to: file)
    }

    @Test(
        "work and merge refuse options that open files, reach hosts, or lift limits or checks, until the user gives them",
        arguments: [
            ["--netrc"], ["--netrc", "--proxy=http://127.0.0.1:9"], ["--proxy=env"],
            ["--s3-endpoint=http://127.0.0.1:9"],
            ["--s3-profile=other"], ["--s3-region=x"], ["--s3-role"], ["--s3-addressing=path"], ["--s3-lease=1h"],
            ["--no-isolate"], ["--weak-sandbox"], ["--allow-private"], ["--allow-address=127.0.0.1"],
            ["--allow-port=22"], ["--resolve=picsum.photos:443:192.0.2.1"], ["--dns-server=192.0.2.1"],
            ["--ca-file=ca.pem"], ["--memory=64G"], ["--max-bytes=1G"], ["--max-pixels=900M"], ["--decode-timeout=1h"],
            ["--i-have-permission"], ["--no-robots"], ["--ignore-opt-out"], ["--force"], ["--durability=none"],
            ["--concurrency=500"], ["--per-host=500"], ["--drain-timeout=1h"], ["--max-fail=1"], ["--max-transfer=1"],
            ["--max-time=1ms"],
        ])
    func givenAgain(words: [String]) throws {
        try forge(words)
        let options = words.joined(separator: " ")
        for line in ["work plan --shard=0 --out=out", "merge plan --out=out"] {
            let refused = try run(line)
            #expect(
                refused.code == 2
                    && refused.err == """
                        sluice: cannot use plan 'plan': it has options that Sluice does not take from a plan: \(options)
                        hint: to use these options, run: sluice \(line) \(options)

                        """,
                "\(refused.err)")
            #expect(folder.names().filter { !$0.hasPrefix("plan") } == [])
            // The printed line is accepted. It fails later, or not at all.
            let given = try run("\(line) \(options)")
            #expect(!given.err.contains("does not take from a plan") && !given.err.contains("unknown option"))
            _ = try? FileManager.default.removeItem(at: folder.url.appending(path: "out"))
        }
    }

    @Test(
        "work and merge refuse options that no plan has, and touch no file",
        arguments: [
            "--trace=.bashrc", "--metrics=.bashrc", "--style=.bashrc", "--out=elsewhere", "--state=elsewhere",
            "--prune",
            "--dry-run", "--refresh", "--retry=timeout", "--header=Host: x", "--s3-unsafe-commits", "--json", "--help",
            "--version", "--print-config",
        ])
    func unknown(word: String) throws {
        try Data("# mine".utf8).write(to: folder.url.appending(path: ".bashrc"))
        try forge([word])
        for line in ["work plan --shard=0 --out=out", "merge plan --out=out", "plan --leftovers=plan --out=next"] {
            let refused = try run(line)
            #expect(
                refused.code == 2 && refused.err.contains("cannot use plan 'plan': `sluice plan` does not record "),
                "\(refused.err)")
        }
        #expect(folder.names().filter { !$0.hasPrefix("plan") } == [".bashrc"])
        #expect(try Data(contentsOf: folder.url.appending(path: ".bashrc")) == Data("# mine".utf8))
    }

    @Test("The command of a plan is a mirror command of the plan's source")
    func otherCommands() throws {
        let file = folder.url.appending(path: "plan/plan.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        for command in [#""thumbs","demo""#, #""mirror","picsum""#, #""mirror""#, #""mirror","demo","more""#, ""] {
            try Data(text.replacing(#""mirror","demo""#, with: command).utf8).write(to: file)
            for line in ["work plan --shard=0 --out=out", "merge plan --out=out"] {
                let refused = try run(line)
                #expect(refused.code == 2 && folder.names().filter { !$0.hasPrefix("plan") } == [], "\(refused.err)")
            }
        }
    }

    @Test("plan and merge print the commands with the options to give, and these commands work")
    func printedCommands() throws {
        let given = "--allow-address=127.0.0.1 --no-robots"
        let planned = try run("plan demo --pages=1 --per-page=2 --variant=thumb --sizes=64 --shards=1 -o own \(given)")
        #expect(
            planned.err.contains("next: run `sluice work own --shard I \(given)` for I from 0 to 0"), "\(planned.err)")
        let early = try run("merge own -o out \(given)")
        #expect(early.code == 3 && early.out == "sluice work own --shard 0 --out out \(given)\n", "\(early)")
        let worked = try Binary.shell(early.out, folder: folder.url)
        #expect(worked.code == 0, "\(worked.err)")
        let merged = try run("merge own -o out \(given)")
        #expect(merged.code == 0, "\(merged.err)")
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Plans whose command has options that a plan must not set.
///
/// A plan used to be a complete command line: `work` and `merge` obeyed `--trace`, `--netrc`, `--proxy` and all others
/// of a plan from a stranger. They could overwrite files and send passwords to other hosts.
@Suite("Plans from strangers", .timeLimit(.minutes(10))) struct ForgedPlanTests {
    private let folder = TemporaryFolder()

    init() throws {
        let words = ["--pages=1", "--per-page=2", "--variant=thumb", "--sizes=64", "--shards=1", "-o", "plan"]
        try Binary.run(["plan", "demo"] + words, folder: folder.url).require()
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
            _ = try? folder.remove("out")
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
        try folder.write("# mine", to: ".bashrc")
        try forge([word])
        for line in ["work plan --shard=0 --out=out", "merge plan --out=out", "plan --leftovers=plan --out=next"] {
            try run(line).expect(2, err: "cannot use plan 'plan': `sluice plan` does not record ")
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
        try Binary.shell(early.out, folder: folder.url).expect()
        try run("merge own -o out \(given)").expect()
    }
}

/// Shards of plans from strangers, whose digests match whatever their rows contain.
@Suite("Shards from strangers", .timeLimit(.minutes(10))) struct ForgedShardTests {
    private let folder = TemporaryFolder()
    private let rows: [String]

    init() throws {
        let words = ["--pages=1", "--per-page=3", "--variant=thumb", "--sizes=64", "--shards=1", "-o", "plan"]
        try Binary.run(["plan", "demo"] + words, folder: folder.url).require()
        let variants = #"[{"name":"thumb","url":"http://photos.sluice.test/images/a/thumb.jpg"}]"#
        rows = (1...3).map { #"{"seq":\#($0),"page":1,"name":"0000\#($0)-a","id":"\#($0)","variants":\#(variants)}"# }
    }

    private func run(_ line: String) throws -> Binary.Result { try Binary.shell("sluice \(line)", folder: folder.url) }

    /// Replaces the rows of the shard, and the digest and the number of rows in the plan.
    private func forge(_ rows: [String], count: Int? = nil) throws {
        let text = rows.map { "\($0)\n" }.joined()
        try folder.write(text, to: "plan/shards/00000.jsonl.zst")
        let file = folder.url.appending(path: "plan/plan.json")
        var plan = try String(contentsOf: file, encoding: .utf8)
        let old = try #require(plan.firstMatch(of: /"rows":[0-9]+,"hosts":[0-9]+,"sha256":"([0-9a-f]{64})"/))
        plan.replace(String(old.output.1), with: sha256(Array(text.utf8)))
        plan.replace(#""rows":3"#, with: #""rows":\#(count ?? rows.count)"#)
        try Data(plan.utf8).write(to: file)
    }

    /// Names that lead out of their folder, or to other files of the mirror.
    ///
    /// `work` ended with 75, so schedulers repeated such shards for ever.
    @Test(
        "Malformed rows and unsafe names end work and merge with 2, and nothing is written",
        arguments: [
            "../../evil", "/etc/evil", "a/../../evil", ".sluice/ledger", "a\\u0000b", "..", ".", "a//b", "a/", "con",
            "-rf", " a", "a\\u001b[2J", "a\\u202eb", "x.jpg/y", "a/b/c/d/e/f/g/h/i",
        ])
    func names(name: String) throws {
        try forge([rows[0], rows[1].replacing("00002-a", with: name), rows[2]])
        for line in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try run(line)
            #expect(result.code == 2 && result.err.contains("a row is malformed"), "\(result.code) \(result.err)")
        }
        #expect(folder.names().filter { !$0.hasPrefix("plan") } == [])
    }

    @Test("Lines that are no rows end work and merge with 2", arguments: ["{}", "", "[1]", "{", "null"])
    func malformed(line: String) throws {
        try forge([rows[0], line, rows[2]])
        for command in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try run(command)
            #expect(result.code == 2 && result.err.contains("a row is malformed"), "\(result.code) \(result.err)")
        }
    }

    /// `merge` ended with a trap, because it took a bit for each claimed row.
    @Test("A plan that claims more rows than its shards have is refused before memory is taken for them")
    func claimedRows() throws {
        try forge(rows, count: 1 << 38)
        for line in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try Binary.shell("ulimit -v 4000000; sluice \(line)", folder: folder.url)
            #expect(
                result.code == 2 && result.err.contains("it was changed after it was planned"),
                "\(result.code) \(result.err)")
        }
    }

    /// A row of 2 GB took 2.1 GB.
    @Test("A very long row is refused before it is read whole")
    func longRow() throws {
        try forge([rows[0], #"{"seq":2,"id":""# + String(repeating: "a", count: 32 << 20)])
        for line in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try run(line)
            #expect(
                result.code == 2 && result.err.contains("a line of more than 16 MB"), "\(result.code) \(result.err)")
        }
    }
}

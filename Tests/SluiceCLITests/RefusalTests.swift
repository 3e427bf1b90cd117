// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCLI

/// Each wrong command line has one sentence that names the option, the value and what is allowed.
@Suite("Refusal") struct RefusalTests {
    @Test(
        "Sentences",
        arguments: [
            ("mirror demo --page 3", "unknown option --page (did you mean --pages?)"),
            ("mirror demo --conc 3", "unknown option --conc (did you mean --concurrency?)"),
            ("mirror demo --galery", "unknown option --galery (did you mean --gallery?)"),
            ("mirror demo --frobnicate", "unknown option --frobnicate"),
            ("mirror demo -x", "unknown option -x"),
            ("miror demo", "unknown command miror (did you mean mirror?)"),
            ("mir demo", "unknown command mir (did you mean mirror?)"),
            ("frobnicate", "unknown command frobnicate; `sluice help` lists them"),
            ("thumbs --out small", "thumbs needs a PATH, as in: sluice thumbs photos --out small"),
            ("thumbs photos -j 0 --out small", "-j 0: takes a whole number from 1 to 1024"),
            ("thumbs photos --pages 3", "--pages is an option of mirror, not of thumbs"),
            ("mirror demo more", "mirror takes only one SOURCE; more is one too many"),
            ("doctor now", "doctor takes no argument; now is one too many"),
            ("completions", "completions needs a SHELL, as in: sluice completions bash"),
            ("completions tcsh", "completions tcsh: takes bash, zsh or fish"),
            ("completions bsh", "completions bsh: takes bash, zsh or fish (did you mean bash?)"),
            (
                "help miror",
                "help miror: takes mirror, thumbs, adopt, gallery, serve, verify, explain, duplicates, diff, export, feeds, bench, doctor, completions, manual or help (did you mean mirror?)"
            ),
            ("mirror demo --pages", "--pages needs a value: --pages N"),
            ("mirror demo --out --json", "--out needs a value: --out DIR"),
            ("mirror demo -p", "-p needs a value: -p N"),
            ("mirror demo --quiet=yes", "--quiet takes no value"),
            ("mirror demo -q=1", "-q takes no value"),
            ("mirror demo --pages=", "--pages '': takes a whole number from 1 on"),
            ("mirror demo --pages 0", "--pages 0: takes a whole number from 1 on"),
            ("mirror demo --pages -1", "--pages -1: takes a whole number from 1 on"),
            ("mirror demo -p +3", "-p +3: takes a whole number from 1 on"),
            (
                "mirror demo --pages 99999999999999999999",
                "--pages 99999999999999999999: takes a whole number from 1 on"
            ),
            ("mirror demo --quality 101", "--quality 101: takes a whole number from 1 to 100"),
            ("mirror demo --min-size x", "--min-size x: takes a size such as 800, 800x600 or x600"),
            (
                "mirror demo --aspect 2:1..1:2",
                "--aspect 2:1..1:2: takes two shapes, the narrower first, such as 1:2..2:1 or 1.3..1.8"
            ),
            ("mirror demo --allow-port 65536", "--allow-port 65536: takes a whole number from 1 to 65535"),
            ("mirror demo --http 3", "--http 3: takes auto, 1.1 or 2 (did you mean 2?)"),
            ("mirror demo -j 0", "-j 0: takes auto, or a whole number from 1 to 4096"),
            ("mirror demo --retries 1e3", "--retries 1e3: takes a whole number from 0 to 100"),
            (
                "mirror demo --timeout 0",
                "--timeout 0: takes a time from 1ms on in ms, s, m or h, such as 500ms, 30s or 5m"
            ),
            (
                "mirror demo --timeout 1e9",
                "--timeout 1e9: takes a time from 1ms on in ms, s, m or h, such as 500ms, 30s or 5m"
            ),
            (
                "mirror demo --max-bytes 9x",
                "--max-bytes 9x: takes a number of bytes from 1 on, with k, M or G if wanted, such as 25M"
            ),
            (
                "mirror demo --max-bytes 99999999999G",
                "--max-bytes 99999999999G: takes a number of bytes from 1 on, with k, M or G if wanted, such as 25M"
            ),
            (
                "mirror demo --max-pixels inf",
                "--max-pixels inf: takes a number from 1 on, with k, M or G if wanted, such as 100M"
            ),
            (
                "mirror demo --sizes 256,,512",
                "--sizes 256,,512: takes none, or sizes such as 256, 320x240 or x200 with commas between them, "
                    + "each at most 16383"
            ),
            ("mirror demo --fit inide", "--fit inide: takes inside, cover, fill or pad (did you mean inside?)"),
            ("mirror demo --profile sRGB", "--profile sRGB: takes srgb, keep or strip"),
            (
                "mirror demo --keep exif,gsp",
                "--keep exif,gsp: takes none, or some of icc, exif, copyright, gps with commas between them "
                    + "(did you mean gps?)"
            ),
            ("mirror demo --subsampling 411", "--subsampling 411: takes 420, 422 or 444"),
            ("mirror demo --format gif", "--format gif: takes jpeg, webp, png or auto"),
            ("mirror demo --header oops", "--header oops: takes a header such as 'Accept-Language: en'"),
            ("--pages 3 mirror demo", "--pages stands behind its command: sluice mirror --pages"),
            ("gallery dir --pages 3", "--pages is an option of mirror, not of gallery"),
        ])
    func sentences(_ line: String, sentence: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(throws: UsageError(sentence)) { try Parser.parse(words) }
    }

    @Test("An empty value is shown as such, and an empty source refused")
    func empty() {
        #expect(throws: UsageError("--out '': takes a folder's name without control characters")) {
            try Parser.parse(["mirror", "demo", "--out", ""])
        }
        #expect(throws: UsageError("mirror: the SOURCE is empty")) { try Parser.parse(["mirror", ""]) }
    }

    @Test("A header cannot smuggle another one in")
    func headerInjection() {
        #expect(throws: UsageError(#"--header A: 1\u{d}\u{a}B: 2: takes a header without control characters"#)) {
            try Parser.parse(["mirror", "demo", "--header", "A: 1\r\nB: 2"])
        }
    }

    @Test("What the user wrote is shown escaped and cut")
    func escaping() throws {
        let error = #expect(throws: UsageError.self) {
            try Parser.parse(["\u{1B}[31m" + String(repeating: "x", count: 5000)])
        }
        let message = try #require(error?.message)
        #expect(!message.contains("\u{1B}") && message.utf8.count < 300)
    }

    @Test(
        "Thumbnails that could go nowhere, or would be none, are refused",
        arguments: [["thumbs", "photos"], ["thumbs", "photos", "--out", "small", "--sizes", "none"]])
    func noThumbs(_ line: [String]) throws {
        let options = try Parser.parse(line).options
        #expect(throws: UsageError.self) { try ThumbsRequest(options) }
    }

    @Test("A run that would keep nothing is refused")
    func nothingToKeep() throws {
        let options = try Parser.parse(["mirror", "demo", "--no-originals", "--sizes", "none"]).options
        #expect(throws: UsageError.self) { try MirrorRequest(options) }
    }

    @Test("Whatever the words are, they are understood or refused in one printable line")
    func anything() {
        let names = Flag.all.map { "--\($0.long)" } + Command.all.map(\.name.rawValue)
        let odd = [
            "-", "--", "---", "-=", "--=", "", "=", "-qqq", "-pj", "-p=", "0", "-1", "1e400", "9999999999999999999G",
        ]
        let words =
            names + odd + names.map { "\($0)=\u{1B}\u{301}" } + ["256x", "x", "١", "1.2.3", ".", "0.0001ms", "nan"]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            do throws(UsageError) {
                _ = try Parser.parse(line)
            } catch {
                #expect(!error.message.isEmpty && error.message == escaped(error.message, columns: 2000), "\(line)")
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCLI

/// An invalid command line gives one message with the option, the value and the accepted values.
@Suite("Usage errors", .timeLimit(.minutes(10))) struct UsageErrorTests {
    @Test(
        "Each invalid command line has its message",
        arguments: [
            ("mirror demo --page 3", "unknown option '--page' (did you mean --pages?)"),
            ("mirror demo --conc 3", "unknown option '--conc' (did you mean --concurrency?)"),
            ("mirror demo --galery", "unknown option '--galery' (did you mean --gallery?)"),
            ("mirror demo --frobnicate", "unknown option '--frobnicate'"),
            ("mirror demo -x", "unknown option '-x'"),
            ("miror demo", "unknown command 'miror' (did you mean mirror?)"),
            ("mir demo", "unknown command 'mir' (did you mean mirror?)"),
            ("frobnicate", "unknown command 'frobnicate'; `sluice help` lists the commands"),
            ("thumbs --out small", "thumbs needs a PATH, for example: sluice thumbs photos --out small"),
            ("thumbs photos -j 0 --out small", "invalid value '0' for -j: expected a whole number from 1 to 1024"),
            ("thumbs photos --pages 3", "--pages is an option of mirror, not of thumbs"),
            ("adopt . demo more", "unexpected argument 'more': adopt takes only one SOURCE"),
            ("doctor now", "unexpected argument 'now': doctor takes no arguments"),
            ("completions", "completions needs a SHELL, for example: sluice completions bash"),
            ("completions tcsh", "invalid argument 'tcsh' for completions: expected bash, zsh or fish"),
            (
                "completions bsh",
                "invalid argument 'bsh' for completions: expected bash, zsh or fish (did you mean bash?)"
            ),
            (
                "help miror",
                "invalid argument 'miror' for help: expected mirror, thumbs, adopt, plan, work, merge, gallery, serve, verify, explain, duplicates, diff, recheck, export, lock, drift, feeds, bench, doctor, completions, manual or help (did you mean mirror?)"
            ),
            ("mirror demo --pages", "--pages needs a value: --pages N"),
            ("mirror demo --out --json", "--out needs a value: --out DIR"),
            ("mirror demo -p", "-p needs a value: -p N"),
            ("mirror demo --quiet=yes", "--quiet takes no value"),
            ("mirror demo -q=1", "-q takes no value"),
            ("mirror demo --pages=", "invalid value '' for --pages: expected a whole number, 1 or more"),
            ("mirror demo --pages 0", "invalid value '0' for --pages: expected a whole number, 1 or more"),
            ("mirror demo --pages -1", "invalid value '-1' for --pages: expected a whole number, 1 or more"),
            ("mirror demo -p +3", "invalid value '+3' for -p: expected a whole number, 1 or more"),
            (
                "mirror demo --pages 99999999999999999999",
                "invalid value '99999999999999999999' for --pages: expected a whole number, 1 or more"
            ),
            (
                "mirror demo --quality 101",
                "invalid value '101' for --quality: expected a whole number from 1 to 100, auto, or auto:N with such a number"
            ),
            (
                "mirror demo --quality auto:0",
                "invalid value 'auto:0' for --quality: expected a whole number from 1 to 100, auto, or auto:N with such a number"
            ),
            (
                "mirror demo --min-size x",
                "invalid value 'x' for --min-size: expected a size, e.g. 800, 800x600 or x600"
            ),
            (
                "mirror demo --aspect 2:1..1:2",
                "invalid value '2:1..1:2' for --aspect: expected one or two aspect ratios, the smaller first, e.g. 16/9, 1:2..2:1 or 1.3..1.8"
            ),
            (
                "mirror demo --allow-port 65536",
                "invalid value '65536' for --allow-port: expected a whole number from 1 to 65535"
            ),
            ("mirror demo --http 3", "invalid value '3' for --http: expected auto, 1.1 or 2 (did you mean 2?)"),
            ("mirror demo -j 0", "invalid value '0' for -j: expected auto or a whole number from 1 to 4096"),
            ("mirror demo --retries 1e3", "invalid value '1e3' for --retries: expected a whole number from 0 to 100"),
            (
                "mirror demo --timeout 0",
                "invalid value '0' for --timeout: expected a time of at least 1ms, e.g. 500ms, 30s, 5m or 1h"
            ),
            (
                "mirror demo --timeout 1e9",
                "invalid value '1e9' for --timeout: expected a time of at least 1ms, e.g. 500ms, 30s, 5m or 1h"
            ),
            (
                "mirror demo --max-bytes 9x",
                "invalid value '9x' for --max-bytes: expected a number of bytes, optionally with k, M, G or T, e.g. 25M"
            ),
            (
                "mirror demo --max-bytes 99999999999G",
                "invalid value '99999999999G' for --max-bytes: expected a number of bytes, optionally with k, M, G or T, e.g. 25M"
            ),
            (
                "mirror demo --max-pixels inf",
                "invalid value 'inf' for --max-pixels: expected a number, optionally with k, M, G or T, e.g. 100M"
            ),
            (
                "mirror demo --sizes 256,,512",
                "invalid value '256,,512' for --sizes: expected none, or comma-separated sizes up to 16383, "
                    + "e.g. 256, 320x240 or x200"
            ),
            (
                "mirror demo --fit inide",
                "invalid value 'inide' for --fit: expected inside, cover, fill or pad (did you mean inside?)"
            ),
            ("mirror demo --profile sRGB", "invalid value 'sRGB' for --profile: expected srgb, keep or strip"),
            (
                "mirror demo --keep exif,gsp",
                "invalid value 'exif,gsp' for --keep: expected none, or a comma-separated list of icc, exif, copyright, gps "
                    + "(did you mean gps?)"
            ),
            ("mirror demo --subsampling 411", "invalid value '411' for --subsampling: expected 420, 422 or 444"),
            ("mirror demo --format gif", "invalid value 'gif' for --format: expected jpeg, png, webp, avif or auto"),
            (
                "mirror demo --header oops",
                "invalid value 'oops' for --header: expected a header, e.g. 'Accept-Language: en'"
            ),
            ("--pages 3 mirror demo", "--pages must follow its command, for example: sluice mirror --pages"),
            ("gallery dir --pages 3", "--pages is an option of mirror, not of gallery"),
        ])
    func messages(_ line: String, message: String) {
        let words = line.split(separator: " ").map(String.init)
        #expect(throws: UsageError(message)) { try Parser.parse(words) }
    }

    @Test("A source without a command is answered with the command")
    func sourceAlone() {
        let hint = "to mirror it, run `sluice mirror https://a.test/x`"
        #expect(throws: UsageError("'https://a.test/x' is not a command", hint: hint)) {
            try Parser.parse(["https://a.test/x", "--out", "y"])
        }
    }

    @Test("An empty value and an empty source are rejected")
    func empty() {
        #expect(throws: UsageError("invalid value '' for --out: expected a folder name")) {
            try Parser.parse(["mirror", "demo", "--out", ""])
        }
        #expect(throws: UsageError("mirror: SOURCE is empty")) { try Parser.parse(["mirror", ""]) }
    }

    @Test("A header value cannot inject another header")
    func headerInjection() {
        #expect(
            throws: UsageError(
                #"invalid value 'A: 1\u{d}\u{a}B: 2' for --header: expected a header without control characters"#)
        ) {
            try Parser.parse(["mirror", "demo", "--header", "A: 1\r\nB: 2"])
        }
    }

    @Test("The message shows arguments escaped and truncated")
    func escaping() throws {
        let error = #expect(throws: UsageError.self) {
            try Parser.parse(["\u{1B}[31m" + String(repeating: "x", count: 5000)])
        }
        let message = try #require(error?.message)
        #expect(!message.contains("\u{1B}") && message.utf8.count < 300)
    }

    @Test(
        "thumbs without an output folder or without sizes is rejected",
        arguments: [["thumbs", "photos"], ["thumbs", "photos", "--out", "small", "--sizes", "none"]])
    func noThumbs(_ line: [String]) throws {
        let options = try Parser.parse(line).options
        #expect(throws: UsageError.self) { try ThumbsRequest(options) }
    }

    @Test("A run that would keep nothing is rejected")
    func nothingToKeep() throws {
        let options = try Parser.parse(["mirror", "demo", "--no-originals", "--sizes", "none"]).options
        #expect(throws: UsageError.self) { try MirrorRequest(options) }
    }

    @Test("Originals cannot be kept if only a part of them is downloaded")
    func partialOriginals() throws {
        #expect(throws: UsageError.self) {
            try MirrorRequest(Parser.parse(["mirror", "demo", "--fetch", "enough"]).options)
        }
        let options = try Parser.parse(["mirror", "demo", "--fetch", "enough", "--no-originals"]).options
        #expect(throws: Never.self) { try MirrorRequest(options) }
    }

    @Test("Random arguments are parsed or rejected with one printable line")
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

// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceCLI

/// An invalid command line gives one message with the option, the value and the accepted values.
@Suite("Usage errors", .timeLimit(.minutes(10))) struct UsageErrorTests {
    @Test("The message shows arguments escaped and truncated")
    func escaping() throws {
        let error = #expect(throws: UsageError.self) {
            try Parser.parse(["\u{1B}[31m" + String(repeating: "x", count: 5000)])
        }
        let message = try #require(error?.message)
        #expect(!message.contains("\u{1B}") && message.utf8.count < 300)
    }

    @Test("Only a part of an original is downloaded if it is not kept")
    func partialOriginals() throws {
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

/// The command's wording of hints and remedies.
@Suite("Hint text", .timeLimit(.minutes(10))) struct HintTextTests {
    static let hints: [Hint] = [
        .chooseFolder, .shortenFolderPath, .chooseFolderOrAllowUntrusted, .checkPermissions, .chooseEmptyFolder,
        .chooseMirror,
        .rebuildLedger, .removeUnreadableFile, .forceRebuild, .chooseTraceFile, .chooseArchive, .chooseMetricsFile,
        .servePublicly,
        .choosePort, .chooseHost,
        .setContact,
        .confirmPermission, .raisePruneLimit, .slowDown, .allowPort(8443),
        .readBucket("b", endpoint: "https://s.test"), .allowAddresses("10.0.0.0/8"),
        .allowAddressesAndPort("10.0.0.0/8", 8443), .trustIssuer,
        .raiseMemory(megabytes: 7), .raiseMemory(megabytes: nil), .liftQuarantine, .decodeInProcess,
        .acceptWeakSandbox, .salvage, .chooseAddressColumn, .listSources, .sendCookies, .benchmarkAddresses,
        .lowerPerHost, .sendFewerRequests,
        .exportResults,
    ]

    @Test("Every flag in a hint exists", arguments: hints)
    func flags(hint: Hint) {
        let names = Self.flags(in: hint.text)
        #expect(!names.isEmpty && names.allSatisfy(Self.isFlag), "\(hint.text)")
    }

    @Test("Every flag that a report or a gallery shows exists", arguments: CommandFlag.allCases)
    func shownFlags(flag: CommandFlag) {
        #expect(Self.isFlag(String(flag.rawValue.dropFirst(2))))
    }

    @Test("The options of a remedy are those of earlier versions")
    func remedies() {
        #expect(Cause.tooLarge.remedy.options == "--max-bytes=1G")
        #expect(Cause.tooManyPixels.remedy.options == "--max-pixels=1G")
        #expect(Cause.decodeLimit.remedy.options == "--memory=4G --decode-timeout=300s")
        #expect(Cause.corrupt.remedy.options == "--salvage")
        #expect(Cause.quarantined.remedy.options == "--retry-quarantined")
        #expect(Cause.truncated.remedy == .retry && Cause.truncated.alternative?.options == "--salvage")
        #expect(Cause.timeout.remedy == .retry && Cause.timeout.remedy.options == nil)
        #expect(Cause.optedOut.remedy == .none && Cause.optedOut.remedy.options == nil)
    }

    @Test("Log lines end with the hint")
    func logLines() {
        let refused = Failure(.addressRefused, "10.0.0.1 is private", hint: .allowAddresses("10.0.0.0/8"))
        let lines: [(Event, String)] = [
            (
                .itemEnded(Samples.item(1), .failed(Receipt(.failed, failure: refused))),
                "failed: photo 1 (p1): address-refused: 10.0.0.1 is private; allow with --allow-address 10.0.0.0/8"
            ),
            (
                .note("stopped at 4 photos", hint: .confirmPermission),
                "note: stopped at 4 photos; use --i-have-permission to lift it"
            ),
            (.stopping(.limit("too many", hint: .raisePruneLimit)), "stopping: too many; raise it with --prune-limit"),
            (
                .stopping(.local(Failure(.disk, "full", scope: .run, hint: .chooseFolder))),
                "stopping: full; choose another --out"
            ),
        ]
        for (event, text) in lines { #expect(LogLine(event, style: Style())?.text == text) }
    }

    private static func flags(in text: String) -> [String] { text.matches(of: /--([a-z0-9-]+)/).map { String($0.1) } }

    private static func isFlag(_ name: String) -> Bool { Flag.all.contains { $0.names.contains(name) } }
}

// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Checks that the modules below the command name no flags: they return a `Hint` or a `Remedy`.
@Suite("Flag spelling", .timeLimit(.minutes(10))) struct FlagSpellingTests {
    /// The files outside the command that may name its flags, with the reason.
    private static let exceptions = [
        // Reports and galleries show commands, and are written without the command line tool.
        "SluiceModel/Failures/CommandFlag.swift"
    ]
    /// The modules of the command itself.
    private static let commandModules: Set<String> = ["SluiceCLI", "SluiceBench"]

    @Test("Only the command spells its flags", .timeLimit(.minutes(10)))
    func spelling() throws {
        let sources = ArchitectureTests.sources
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        #expect(Self.exceptions.allSatisfy(names.contains), "every exception exists")
        for name in names where name.hasSuffix(".swift") && !Self.exceptions.contains(name) {
            guard let module = name.split(separator: "/").first, !Self.commandModules.contains(String(module)) else {
                continue
            }
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            for (number, line) in text.components(separatedBy: "\n").enumerated() where Self.namesFlag(line) {
                Issue.record("\(name):\(number + 1) names a flag; return a hint instead: \(line)")
            }
        }
    }

    @Test(
        "A flag is found in every kind of string, and only there",
        arguments: [
            (#"throw MirrorError(.usage, "choose another --out")"#, true), (#"let flag = "--out""#, true),
            ("run `sluice gallery DIR --rebuild` again", true), ("/// The value of `--out`.", false),
            (#"let range = "a--b""#, false), ("let value = a - -b", false), ("// --out", false),
        ])
    func recognition(line: String, isFlag: Bool) {
        #expect(Self.namesFlag(line) == isFlag)
    }

    /// Whether a line of code, which is not a comment, contains a flag.
    private static func namesFlag(_ line: String) -> Bool {
        // A regular expression for every line would take seconds.
        guard line.contains("--"), !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
        return line.contains(/(?:^|[\s"'`(=])--[a-z]/)
    }
}

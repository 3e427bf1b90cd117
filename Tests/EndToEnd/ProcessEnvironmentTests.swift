// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Rows F7 and G8 of the fault table: unusual environments of the process.
@Suite("Process environment", .timeLimit(.minutes(10))) struct ProcessEnvironmentTests {
    @Test("An invalid command line gives one line on standard error, nothing on standard output, and exit code 2")
    func refusal() throws {
        let result = try Binary.shell("sluice mirror demo --pages 0")
        #expect(
            result
                == Binary.Result(
                    code: 2, out: "", err: "sluice: invalid value '0' for --pages: expected a whole number, 1 or more\n"
                ))
    }

    @Test(
        "Data goes to standard output only",
        arguments: ["--version", "--help", "mirror -h", "manual", "completions zsh"])
    func data(_ arguments: String) throws {
        let result = try Binary.shell("sluice \(arguments)")
        #expect(result.code == 0 && !result.out.isEmpty && result.err.isEmpty)
    }

    /// False in containers and where the root folder is no mount point.
    private static let canMount = (try? Binary.shell("unshare --mount true").code) == 0

    /// Every command printed the help, because Swift reads the arguments there; threads would end with SIGILL.
    @Test(
        "Without /proc, commands that do work end with a sentence, and the others work",
        .enabled(if: Self.canMount, "needs root and a mount namespace"))
    func noProc() throws {
        func run(_ words: String) throws -> Binary.Result {
            try Binary.shell("unshare --mount sh -c 'mount -t tmpfs none /proc && exec \"\(Binary.path)\" \(words)'")
        }
        for words in ["mirror demo --out /nowhere", "verify .", "thumbs .", "gallery .", "doctor", "bench loader"] {
            let result = try run(words)
            #expect(
                result == Binary.Result(code: 5, out: "", err: "sluice: cannot start threads: /proc is not mounted\n"),
                "\(words)")
        }
        for words in ["--version", "help mirror", "verify --help", "mirror demo --print-config"] {
            let result = try run(words)
            #expect(result.code == 0 && !(result.out + result.err).contains("Commands:"), "\(words): \(result)")
        }
        #expect(try run("mirror demo --pages 0").code == 2)
    }

    @Test("A closed pipe ends the command without a message")
    func brokenPipe() throws {
        let result = try Binary.shell("{ sluice manual; echo $? >&2; } | true")
        #expect(["0\n", "141\n"].contains(result.err))
    }

    @Test(
        "The command works with closed descriptors, unset variables and a removed folder",
        arguments: [
            "sluice --version <&- >&- 2>&-", "sluice --version >&-", "sluice --help 2>&-",
            "env -i /bin/sh -c true; sluice --help",
            "umask 777; sluice --version", "unset HOME; sluice --help", "TERM=dumb sluice --help",
            "LANG=C sluice --help",
            "mkdir gone; cd gone; rmdir ../gone; sluice --version",
        ])
    func odd(_ line: String) throws {
        let folder = try TemporaryFolder()
        let result = try Binary.shell(line, folder: folder.url)
        #expect(result.code == 0 && result.err.isEmpty)
    }

    @Test("Closed standard descriptors are not reused for the command's files")
    func closedDescriptors() throws {
        let folder = try TemporaryFolder()
        let result = try Binary.shell("sluice doctor >&- 2>&- <&-; echo $?; ls -A", folder: folder.url)
        #expect(result.out.hasSuffix("0\n") || result.out.hasSuffix("5\n"))
        #expect(folder.names() == [])
    }

    @Test("doctor reports a folder that is not writable", .enabled(if: getuid() != 0, "root can write everywhere"))
    func readOnly() throws {
        let result = try Binary.shell(
            "mkdir sealed; chmod 555 sealed; cd sealed; sluice doctor", folder: TemporaryFolder().url)
        #expect(result.code == 5 && result.out.contains("problem"))
    }

    @Test("A run that cannot start its threads reports it and exits")
    func threads() throws {
        let folder = try TemporaryFolder()
        // Thread stacks count as data, and the limit is below the size of eight stacks.
        let result = try Binary.shell(
            "echo http://127.0.0.1:1/ >list.txt; ulimit -s 8192; ulimit -d 65536; sluice mirror list.txt --out out",
            folder: folder.url)
        #expect(
            result.code == 5 && result.err.contains("threads: system limit reached; check `ulimit -u`"), "\(result)")
        #expect(folder.names() == ["list.txt"])
    }

    @Test("doctor reports a removed folder")
    func gone() throws {
        let folder = try TemporaryFolder()
        let result = try Binary.shell("mkdir gone; cd gone; rmdir ../gone; sluice doctor", folder: folder.url)
        #expect(result.code == 5 && result.out.contains("problem  current folder: is not writable"))
    }

    @Test("An argument that is not valid UTF-8 is refused with one message")
    func notText() throws {
        let result = try Binary.shell("sluice mirror \"$(printf 'a\\377b')\"")
        let lines = result.err.split(separator: "\n")
        #expect(result.code == 2 && lines.first == "sluice: cannot read the argument 'a%FFb': it is not valid UTF-8")
        #expect(lines.dropFirst() == ["hint: for files with such names, name their folder"])
    }

    @Test("Colour is used only on a terminal or with --color always")
    func color() throws {
        #expect(try !Binary.shell("sluice doctor").out.contains("\u{1B}"))
        #expect(try Binary.shell("sluice doctor --color always").out.contains("\u{1B}[32mok"))
        #expect(
            try Binary.shell("sluice doctor --color always", environment: ["NO_COLOR": "1"]).out.contains("\u{1B}[32m"))
    }
}

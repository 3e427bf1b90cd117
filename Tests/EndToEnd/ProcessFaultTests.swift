// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Rows F6, F8, F10, G1 and G2 of the fault table: few descriptors, a removed folder, a killed process.
    @Suite("Process faults") struct ProcessFaultTests {
        private func shell(_ before: String, _ mirror: DemoMirror) throws -> Binary.Result {
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            return try Binary.shell("\(before); sluice \(words) --quiet")
        }

        @Test(
            "F6: a descriptor limit that is too low is reported before anything is created", arguments: [8, 16, 32, 63])
        func tooFewFiles(_ most: Int) throws {
            let mirror = try DemoMirror()
            let result = try shell("ulimit -n \(most)", mirror)
            #expect(
                result
                    == Binary.Result(
                        code: 5, out: "",
                        err: """
                            sluice: cannot open enough files: the limit is \(most), a run needs 64; check `ulimit -n`

                            """))
            #expect(!FileManager.default.fileExists(atPath: mirror.path))
        }

        @Test("F6: a low descriptor limit reduces the photos in flight, and none is lost", arguments: [64, 80, 100])
        func fewFiles(_ most: Int) throws {
            let mirror = try DemoMirror()
            try shell("ulimit -n \(most)", mirror).expect()
            #expect(try mirror.finish().ended("kept") == Set(1...90))
        }

        @Test(
            "F6: a run that inherits many open files ends with a message, at any point",
            arguments: [24, 30, 32, 34, 36, 38, 40, 44, 56])
        func inheritedFiles(_ count: Int) throws {
            let mirror = try DemoMirror()
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            let line = "for i in {10..\(9 + count)}; do eval \"exec $i</dev/null\"; done; ulimit -n 64"
            let result = try Running(
                ["-c", "\(line); exec '\(Binary.path)' \(words) --quiet"], program: "/bin/bash"
            ).end()
            #expect(result.code == 5 || result.code == 0 && count < 40, "\(result)")
            #expect(result.code == 0 || result.err.contains("oo many open files"), "\(result)")
            if result.code == 5, FileManager.default.fileExists(atPath: mirror.path) { _ = try mirror.finish() }
        }

        @Test("F8: a folder that is removed during the run is not created again")
        func removed() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended")
            running.stop()
            try FileManager.default.removeItem(atPath: mirror.path)
            running.send(SIGCONT)
            let result = try running.end()
            #expect(result.code == 5 && result.isPlain, "\(result)")
            #expect(!FileManager.default.fileExists(atPath: mirror.path))
            _ = try mirror.finish()
        }

        @Test(
            "F8: after a disk is unmounted during the run, nothing is written into the mount point",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
        func unmounted() throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try DemoMirror(on: disk.path)
            let running = try mirror.start()
            try running.wait(for: "item-ended")
            running.stop()
            try disk.unmount()
            running.send(SIGCONT)
            #expect([0, 5].contains(try running.end().code))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
        }

        @Test("F10: if a killed run's last writes are lost, the next run fetches those photos again and finishes")
        func lostLog() throws {
            let mirror = try DemoMirror()
            // SQLite flushes the log before it merges it into the ledger, so only a run far from its end can lose it.
            // This one has almost a minute and a half left.
            let running = try mirror.start("--rate", "1/s")
            try running.wait(for: "item-ended", count: 2)
            running.send(SIGKILL)
            _ = try running.end()
            for suffix in ["-wal", "-shm"] {
                try FileManager.default.removeItem(atPath: "\(mirror.path)/.sluice/ledger.sqlite\(suffix)")
            }
            _ = try mirror.finish()
        }

        @Test("G2: a killed process holds no lock, whatever the lock file says")
        func staleLock() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended")
            running.send(SIGKILL)
            _ = try running.end()
            let lock = URL(filePath: "\(mirror.path)/.sluice/lock")
            #expect(String(decoding: try Data(contentsOf: lock), as: UTF8.self).hasPrefix("\(running.identifier) "))
            // The process number may belong to another process by now.
            try Data("1 0\n".utf8).write(to: lock)
            _ = try mirror.finish()
        }
    }
}

/// Rows F7 and G8 of the fault table: unusual environments of the process.
@Suite("Process environment", .timeLimit(.minutes(10))) struct ProcessEnvironmentTests {
    private let folder = TemporaryFolder()

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
        let result = try Binary.shell(line, folder: folder.url)
        #expect(result.code == 0 && result.err.isEmpty)
    }

    @Test("Closed standard descriptors are not reused for the command's files")
    func closedDescriptors() throws {
        let result = try Binary.shell("sluice doctor >&- 2>&- <&-; echo $?; ls -A", folder: folder.url)
        #expect(result.out.hasSuffix("0\n") || result.out.hasSuffix("5\n"))
        #expect(folder.names() == [])
    }

    @Test("doctor reports a folder that is not writable", .enabled(if: getuid() != 0, "root can write everywhere"))
    func readOnly() throws {
        try Binary.shell(
            "mkdir sealed; chmod 555 sealed; cd sealed; sluice doctor", folder: TemporaryFolder().url
        ).expect(5, out: "problem")
    }

    @Test("A run that cannot start its threads reports it and exits")
    func threads() throws {
        // Thread stacks count as data, and the limit is below the size of eight stacks.
        try Binary.shell(
            "echo http://127.0.0.1:1/ >list.txt; ulimit -s 8192; ulimit -d 65536; sluice mirror list.txt --out out",
            folder: folder.url
        ).expect(5, err: "threads: system limit reached; check `ulimit -u`")
        #expect(folder.names() == ["list.txt"])
    }

    @Test("doctor reports a removed folder")
    func gone() throws {
        try Binary.shell("mkdir gone; cd gone; rmdir ../gone; sluice doctor", folder: folder.url).expect(
            5, out: "problem  current folder: is not writable")
    }

    @Test("Colour is used only on a terminal or with --color always")
    func color() throws {
        #expect(try !Binary.shell("sluice doctor").out.contains("\u{1B}"))
        #expect(try Binary.shell("sluice doctor --color always").out.contains("\u{1B}[32mok"))
        #expect(
            try Binary.shell("sluice doctor --color always", environment: ["NO_COLOR": "1"]).out.contains("\u{1B}[32m"))
    }
}

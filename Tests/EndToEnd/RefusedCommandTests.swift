// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Refusals") struct RefusedCommandTests {
        @Test(
            "A wrong command line is one sentence that names the word, and changes nothing",
            arguments: [
                ("mirror demo --pagse 3", "unknown option --pagse (did you mean --pages?)"),
                ("miror demo", "unknown command miror (did you mean mirror?)"),
                ("mirror demo --pages", "--pages needs a value: --pages N"),
                ("mirror demo --pages 0", "--pages 0: takes a whole number from 1 on"),
                ("mirror demo --pages three", "--pages three: takes a whole number from 1 on"),
                (
                    "mirror demo --sizes banana",
                    "--sizes banana: takes none, or sizes such as 256, 320x240 or x200 with commas between them, each at most 16383"
                ),
                (
                    "mirror demo --sizes 256,0",
                    "--sizes 256,0: takes none, or sizes such as 256, 320x240 or x200 with commas between them, each at most 16383"
                ),
                (
                    "mirror",
                    "mirror needs a SOURCE, as in: sluice mirror demo --pages 3 (without one it goes on with a mirror, and . is none)"
                ),
                ("mirror demo more", "mirror takes only one SOURCE; more is one too many"),
                ("mirror nowhere", "unknown source nowhere; `sluice feeds` lists what there is"),
                ("mirror demos", "unknown source demos (did you mean demo?)"),
                (
                    "mirror catalog",
                    "catalog needs an address behind it, as in: catalog:https://music.example/catalog.json"
                ),
                ("feeds show", "feeds show needs a NAME, as in: sluice feeds show unsplash"),
                ("feeds show picsmu", "unknown service picsmu (did you mean picsum?)"),
                ("feeds check nowhere.json", "there is no recipe nowhere.json"),
                ("feeds list picsum", "feeds list takes nothing behind it"),
                (
                    "bench replay nowhere.json --latency 1s",
                    "--latency is an option of bench loader, not of replay"
                ),
                (
                    "bench imaging --longest 1s",
                    "--longest is an option of bench loader and replay, not of imaging"
                ),
                ("gallery", "gallery needs a DIR, as in: sluice gallery demo-mirror"),
                ("gallery nowhere", "nowhere cannot be opened as a mirror: No such file or directory"),
                ("gallery .", ". is no mirror: it has no .sluice in it"),
            ])
        func usage(_ line: String, sentence: String) throws {
            let folder = try TemporaryFolder()
            let result = try Binary.run(line.split(separator: " ").map(String.init), folder: folder.url)
            #expect(result == Binary.Result(code: 2, out: "", err: "sluice: \(sentence)\n"))
            #expect(folder.names() == [])
        }

        @Test(
            "A folder that cannot be had is one sentence that names it",
            .enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "there is no /proc"))
        func noFolder() throws {
            let result = try Binary.run(["mirror", "demo", "--out", "/proc/sluice/mirror"])
            #expect(
                result
                    == Binary.Result(
                        code: 5, out: "",
                        err: """
                            sluice: /proc/sluice/mirror cannot be the mirror's folder \
                            (make folder /proc/sluice: No such file or directory): give another with --out

                            """))
        }

        @Test(
            "A folder that cannot be written is one sentence that names it",
            .enabled(if: getuid() != 0, "root may write"))
        func sealedFolder() throws {
            let folder = try TemporaryFolder()
            let result = try Binary.shell(
                "mkdir sealed; chmod 555 sealed; sluice mirror demo --out sealed", folder: folder.url)
            #expect(result.code == 5 && result.err.hasPrefix("sluice: sealed cannot be written"))
            #expect(folder.names() == ["sealed"])
        }

        @Test(
            "A read-only disk is one sentence that names the folder",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
        func readOnlyDisk() throws {
            let disk = try SmallDisk(kilobytes: 64)
            try disk.remount("ro")
            let result = try Binary.run(["mirror", "demo", "--out", disk.path])
            #expect(
                result
                    == Binary.Result(
                        code: 5, out: "",
                        err: """
                            sluice: \(disk.path) cannot be written (make folder \(disk.path)/.sluice: Read-only file \
                            system): see to it, or give another with --out

                            """))
        }

        @Test(
            "A file where a folder should be is left as it is",
            arguments: [("file", "it is no folder"), ("file/mirror", "file is no folder")])
        func file(_ out: String, reason: String) throws {
            let folder = try TemporaryFolder()
            try Data("mine".utf8).write(to: folder.url.appending(path: "file"))
            let result = try Binary.run(["mirror", "demo", "--out", out], folder: folder.url)
            #expect(result.code == 5 && result.out.isEmpty)
            #expect(result.err == "sluice: \(out) cannot be the mirror's folder (\(reason)): give another with --out\n")
            #expect(try folder.names() == ["file"] && folder.bytes(of: "file") == Array("mine".utf8))
        }

        @Test("A folder with other things in it is left as it is") func otherFiles() throws {
            let folder = try TemporaryFolder()
            try Data("mine".utf8).write(to: folder.url.appending(path: "notes.txt"))
            let result = try Binary.run(["mirror", "demo", "--out", "."], folder: folder.url)
            let sentence = ". holds other files and is no mirror: give an empty folder with --out"
            #expect(result == Binary.Result(code: 2, out: "", err: "sluice: \(sentence)\n"))
            #expect(folder.names() == ["notes.txt"])
        }

        @Test("A mirror that another run holds is left to it, whoever asks") func locked() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "run-started")
            running.stop()
            for arguments in [mirror.arguments, ["gallery", mirror.path]] {
                let result = try Binary.run(arguments)
                #expect(result.code == 6 && result.out.isEmpty)
                #expect(result.err.hasPrefix("sluice: another sluice (process \(running.identifier), since 2"))
                #expect(result.err.hasSuffix("Z) uses \(mirror.path)\n") && result.err.count { $0 == "\n" } == 1)
            }
            running.send(SIGCONT)
            #expect(try running.end().code == 0)
            #expect(try mirror.finish().ended("kept") == Set(1...90))
        }
    }
}

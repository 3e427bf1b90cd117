// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Refusals") struct RefusedCommandTests {
        @Test(
            "An invalid command line gives one message that names the wrong word, and changes nothing",
            arguments: [
                ("mirror demo --pagse 3", "unknown option '--pagse' (did you mean --pages?)"),
                ("miror demo", "unknown command 'miror' (did you mean mirror?)"),
                ("mirror demo --pages", "--pages needs a value: --pages N"),
                ("mirror demo --pages 0", "invalid value '0' for --pages: expected a whole number, 1 or more"),
                ("mirror demo --pages three", "invalid value 'three' for --pages: expected a whole number, 1 or more"),
                (
                    "mirror demo --sizes banana",
                    "invalid value 'banana' for --sizes: expected none, or comma-separated sizes up to 16383, e.g. 256, 320x240 or x200"
                ),
                (
                    "mirror demo --sizes 256,0",
                    "invalid value '256,0' for --sizes: expected none, or comma-separated sizes up to 16383, e.g. 256, 320x240 or x200"
                ),
                (
                    "mirror",
                    "mirror needs a SOURCE, for example: sluice mirror demo --pages 3 (without SOURCE it continues a mirror, but '.' is not a mirror)"
                ),
                ("adopt . demo more", "unexpected argument 'more': adopt takes only one SOURCE"),
                ("mirror nowhere", "unknown source 'nowhere'; run `sluice feeds` to list the sources"),
                ("mirror demos", "unknown source 'demos' (did you mean demo?)"),
                ("mirror picsmu:list", "unknown source 'picsmu:list' (did you mean picsum:list?)"),
                (
                    "mirror catalog",
                    "catalog needs an address, for example catalog:https://music.example/catalog.json"
                ),
                ("feeds show", "feeds show needs a NAME, for example: sluice feeds show unsplash"),
                ("feeds check", "feeds check needs a FILE, for example: sluice feeds check mine.json"),
                ("feeds show picsmu", "unknown service 'picsmu' (did you mean picsum?)"),
                ("feeds check nowhere.json", "cannot read recipe 'nowhere.json': no such file"),
                ("feeds list picsum", "feeds list takes no further arguments"),
                (
                    "bench replay nowhere.json --latency 1s",
                    "--latency is an option of bench loader, not of replay"
                ),
                (
                    "bench imaging --longest 1s",
                    "--longest is an option of bench loader and replay, not of imaging"
                ),
                (
                    "thumbs nowhere --out small",
                    "cannot make thumbnails of 'nowhere': No such file or directory"
                ),
                ("thumbs . --out small --lossless", "--lossless needs --format webp or --format avif"),
                (
                    "thumbs . --out small --size 256",
                    "--size is an option of export, work and merge, not of thumbs (did you mean --sizes?)"
                ),
                ("mirror demo --memory 1k", "invalid value '1k' for --memory: expected at least 16M"),
                ("gallery nowhere", "cannot open mirror 'nowhere': No such file or directory"),
                ("gallery .", "cannot open mirror '.': it is not a mirror, because it has no .sluice"),
            ])
        func usage(_ line: String, sentence: String) throws {
            let folder = try TemporaryFolder()
            let result = try Binary.run(line.split(separator: " ").map(String.init), folder: folder.url)
            #expect(result == Binary.Result(code: 2, out: "", err: "sluice: \(sentence)\n"))
            #expect(folder.names() == [])
        }

        @Test(
            "A folder that cannot be created gives one message that names it",
            .enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "there is no /proc"))
        func noFolder() throws {
            let result = try Binary.run(["mirror", "demo", "--out", "/proc/sluice/mirror"])
            #expect(
                result
                    == Binary.Result(
                        code: 5, out: "",
                        err: """
                            sluice: cannot use '/proc/sluice/mirror' as the output folder: cannot create folder /proc/sluice: \
                            No such file or directory
                            hint: choose another --out

                            """))
        }

        @Test(
            "A folder that is not writable gives one message that names it",
            .enabled(if: getuid() != 0, "root can write everywhere"))
        func sealedFolder() throws {
            let folder = try TemporaryFolder()
            let result = try Binary.shell(
                "mkdir sealed; chmod 555 sealed; sluice mirror demo --out sealed", folder: folder.url)
            #expect(result.code == 5 && result.err.hasPrefix("sluice: cannot write to 'sealed'"))
            #expect(folder.names() == ["sealed"])
        }

        @Test(
            "A read-only disk gives one message that names the folder",
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
                            sluice: cannot write to '\(disk.path)': cannot create folder \(disk.path)/.sluice: Read-only file \
                            system
                            hint: check its permissions or choose another --out

                            """))
        }

        @Test(
            "A file in place of the output folder stays unchanged",
            arguments: [("file", "not a folder"), ("file/mirror", "file is not a folder")])
        func file(_ out: String, reason: String) throws {
            let folder = try TemporaryFolder()
            try Data("mine".utf8).write(to: folder.url.appending(path: "file"))
            let result = try Binary.run(["mirror", "demo", "--out", out], folder: folder.url)
            #expect(result.code == 5 && result.out.isEmpty)
            let message = "sluice: cannot use '\(out)' as the output folder: \(reason)\n"
            #expect(result.err == message + "hint: choose another --out\n")
            #expect(try folder.names() == ["file"] && folder.bytes(of: "file") == Array("mine".utf8))
        }

        @Test("A folder with other files in it stays unchanged") func otherFiles() throws {
            let folder = try TemporaryFolder()
            try Data("mine".utf8).write(to: folder.url.appending(path: "notes.txt"))
            let result = try Binary.run(["mirror", "demo", "--out", "."], folder: folder.url)
            let sentence =
                "cannot use '.' as the output folder: it has other files and is not a mirror\nhint: choose another --out"
            #expect(result == Binary.Result(code: 2, out: "", err: "sluice: \(sentence)\n"))
            #expect(folder.names() == ["notes.txt"])
        }

        @Test("A mirror that another run holds is refused to every command that writes") func locked() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "run-started")
            running.stop()
            for arguments in [mirror.arguments, ["gallery", mirror.path]] {
                let result = try Binary.run(arguments)
                #expect(result.code == 6 && result.out.isEmpty)
                #expect(
                    result.err.hasPrefix(
                        "sluice: cannot lock \(mirror.path): another sluice (process \(running.identifier), since 2"))
                #expect(result.err.hasSuffix("Z) is using it\n") && result.err.count { $0 == "\n" } == 1)
            }
            running.send(SIGCONT)
            #expect(try running.end().code == 0)
            #expect(try mirror.finish().ended("kept") == Set(1...90))
        }
    }
}

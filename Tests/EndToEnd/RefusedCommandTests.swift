// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Refusals") struct RefusedCommandTests {
        private let folder = TemporaryFolder()

        @Test(
            "A folder that is not writable gives one message that names it",
            .enabled(if: getuid() != 0, "root can write everywhere"))
        func sealedFolder() throws {
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

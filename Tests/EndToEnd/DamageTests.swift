// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Damage") struct DamageTests {
        private static let ledger = ".sluice/ledger.sqlite"

        private func overwriteLedger(of mirror: DemoMirror, _ change: (inout Data) -> Void) throws {
            let file = URL(filePath: "\(mirror.path)/\(Self.ledger)")
            var data = try Data(contentsOf: file)
            change(&data)
            try data.write(to: file)
        }

        @Test("An unreadable ledger is named in the message, and no file changes") func rubbish() throws {
            let mirror = try DemoMirror.finished()
            try overwriteLedger(of: mirror) { $0 = Data(repeating: 0x2A, count: 5000) }
            let before = try mirror.tree()
            for arguments in [mirror.arguments, ["gallery", mirror.path]] {
                let result = try Binary.run(arguments)
                #expect(result.code == 7 && result.out.isEmpty && result.err.count { $0 == "\n" } == 2)
                #expect(
                    result.err.contains("\(Self.ledger): not a Sluice ledger, or damaged beyond recognition"))
                #expect(try mirror.tree().differences(to: before) == [])
            }
        }

        /// `sluice gallery` made a new ledger where there was none, and wrote a manifest of no photos over the one of
        /// ninety.
        @Test("Without a ledger, the gallery and the manifest stay as they are", arguments: [true, false])
        func noLedger(isEmpty: Bool) throws {
            let mirror = try DemoMirror.finished()
            if isEmpty {
                try overwriteLedger(of: mirror) { $0 = Data() }
            } else {
                try FileManager.default.removeItem(atPath: "\(mirror.path)/\(Self.ledger)")
            }
            let before = try mirror.tree()
            for arguments in [["gallery", mirror.path], mirror.arguments, ["thumbs", "/dev/null", "-o", mirror.path]] {
                let result = try Binary.run(arguments)
                #expect(result.code == 7 && result.out.isEmpty)
                #expect(
                    result.err == """
                        sluice: cannot open mirror '\(mirror.path)': the ledger (\(Self.ledger)) is missing
                        hint: run `sluice gallery DIR --rebuild` to recreate it from the manifest and the files

                        """)
                #expect(try mirror.tree().differences(to: before) == [])
            }
        }

        /// The run used to exit with code 5, print the message twice, and advise to run again.
        @Test("Ledger damage found during a run stops it with one message and exit code 7") func torn()
            throws
        {
            let mirror = try DemoMirror.finished()
            try overwriteLedger(of: mirror) { data in
                // The run reads the first half, with the schema, before it begins.
                let half = data.count / 2..<data.count - 4096
                data.replaceSubrange(half, with: Data(repeating: 0x2A, count: half.count))
            }
            let before = try mirror.tree().visible
            let result = try mirror.run()
            #expect(result.code == 7 && !result.err.contains("run again"))
            let messages = result.err.split(separator: "\n").filter { $0.contains("is damaged") }
            #expect(messages.count == 1, "\(result.err)")
            #expect(messages.first?.hasPrefix("stopping: cannot use ledger ") == true, "\(result.err)")
            #expect(try mirror.tree().visible.differences(to: before) == [])
        }

        /// How the ledger's file was damaged.
        enum Damage: CaseIterable {
            case oneByte, truncated, schemaFormat, fileVersion, newerVersion, olderVersion, definitions

            func apply(to data: inout Data) {
                switch self {
                case .oneByte: data = Data([0x53])
                case .truncated: data.removeLast(data.count / 8192 * 4096)
                case .schemaFormat: data[47] = 0xFF
                case .fileVersion: (data[18], data[19]) = (9, 9)
                case .newerVersion: data[61] = 1
                case .olderVersion: data[63] -= 1
                case .definitions: data.replaceSubrange(2000..<4096, with: Data(repeating: 0x2A, count: 2096))
                }
            }
        }

        /// Of a ledger of one byte, `verify` said that all is well, and `gallery` wrote an empty manifest; other damage
        /// was reported as a bug of Sluice.
        @Test("Every command refuses a damaged ledger with one sentence and the repair", arguments: Damage.allCases)
        func everyCommand(damage: Damage) throws {
            let mirror = try DemoMirror.finished()
            try overwriteLedger(of: mirror) { damage.apply(to: &$0) }
            let before = try mirror.tree()
            let output = TemporaryFolder()
            let commands = [
                ["verify", mirror.path], ["verify", mirror.path, "--repair"], ["gallery", mirror.path],
                ["explain", mirror.path], ["diff", mirror.path], ["duplicates", mirror.path],
                ["duplicates", mirror.path, "--merge"], ["export", mirror.path, "-o", output.path("export")],
                mirror.arguments, mirror.arguments + ["--retry", "timeout"], ["mirror", "-o", mirror.path],
                ["mirror", "demo", "-o", mirror.path, "--prune", "--dry-run"],
                ["adopt", output.path, "-o", mirror.path],
                ["thumbs", "/dev/null", "-o", mirror.path],
            ]
            for command in commands {
                let result = try Binary.run(command)
                #expect(result.code == 7 && result.out.isEmpty, "\(command): \(result)")
                let lines = result.err.split(separator: "\n")
                #expect(lines.count == 2 && lines.first?.contains("ledger") == true, "\(command): \(result.err)")
                #expect(lines.last?.contains("sluice gallery DIR --rebuild") == true, "\(command): \(result.err)")
                #expect(try mirror.tree().differences(to: before) == [], "\(command)")
            }
            #expect(try Binary.run(["gallery", mirror.path, "--rebuild"]).code == 0)
            #expect(try mirror.tree().text("manifest.jsonl") == before.text("manifest.jsonl"))
        }

        @Test(
            "--rebuild recreates a lost ledger from the manifest and the files, and keeps the old one",
            arguments: [true, false])
        func rebuilt(isGone: Bool) throws {
            let mirror = try DemoMirror.finished()
            let before = try mirror.tree()
            let photos = before.names.filter { $0.hasPrefix("originals/") }
            if isGone {
                try FileManager.default.removeItem(atPath: "\(mirror.path)/\(Self.ledger)")
            } else {
                try overwriteLedger(of: mirror) { $0 = Data(repeating: 0x2A, count: 5000) }
            }
            // One photo is missing, and one has other bytes of the same number.
            try FileManager.default.removeItem(atPath: "\(mirror.path)/\(photos[3])")
            let changed = try #require(before.files[photos[5]])
            try Data(repeating: 7, count: changed.count).write(to: URL(filePath: "\(mirror.path)/\(photos[5])"))
            let result = try Binary.run(["gallery", mirror.path, "--rebuild"]).expect()
            #expect(
                result.err.hasPrefix(
                    "90 photos, 2 do not match the manifest; run mirror again to repair them; gallery: "))
            let kept = try mirror.tree().names.filter { $0.hasPrefix("\(Self.ledger).") }
            #expect(kept.count == (isGone ? 0 : 1))
            for name in kept { try FileManager.default.removeItem(atPath: "\(mirror.path)/\(name)") }
            let events = try mirror.finish()
            // The manifest does not hold the thumbnail options, so all thumbnails are remade; two photos are fetched.
            #expect(events.ended("done") == Set(1...90))
            #expect(try mirror.finish().ended("kept") == Set(1...90))
        }

        @Test("--rebuild refuses an intact ledger; with --force, the recorded command survives") func intact() throws {
            let mirror = try DemoMirror.finished()
            let before = try mirror.tree()
            try Binary.run(["gallery", mirror.path, "--rebuild"]).expect(2, err: "it is intact", "hint: use --force")
            #expect(try mirror.tree().differences(to: before) == [])
            #expect(try Binary.run(["gallery", mirror.path, "--rebuild", "--force"]).code == 0)
            try Binary.run(["mirror", "--out", mirror.path, "--json"]).expect(out: "run-finished")
        }

        @Test("Without a manifest, --rebuild does not recreate the ledger, and no file changes") func noManifest()
            throws
        {
            let mirror = try DemoMirror.finished()
            try FileManager.default.removeItem(atPath: "\(mirror.path)/manifest.jsonl")
            let before = try mirror.tree()
            try Binary.run(["gallery", mirror.path, "--rebuild", "--force"]).expect(7, err: "has no manifest.jsonl")
            #expect(try mirror.tree().differences(to: before) == [])
        }

        /// Thumbnails used to be written next to their final names, and remained if their photo had left the feed.
        @Test("The next run removes the partial files that a killed run left, wherever they are")
        func leftovers() throws {
            let mirror = try DemoMirror.finished()
            let names = try mirror.tree().names
            let thumb = try #require(names.first { $0.hasPrefix("thumbs/64/") })
            try FileManager.default.removeItem(atPath: "\(mirror.path)/\(thumb)")
            try FileManager.default.createDirectory(
                atPath: "\(mirror.path)/.sluice/partial", withIntermediateDirectories: true)
            for name in [".sluice/partial/7", ".sluice/partial/7-64", ".sluice-probe-77.part"] {
                try Data("half".utf8).write(to: URL(filePath: "\(mirror.path)/\(name)"))
            }
            // A folder in the place where thumbnails used to be written.
            try FileManager.default.createDirectory(
                atPath: "\(mirror.path)/\(thumb).part", withIntermediateDirectories: false)
            #expect(try mirror.finish().started == [1])
            #expect(try mirror.unfinished() == [])
        }

        @Test(
            "A full disk stops the run; finished photos stay, and the next run finishes once there is space",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
        func fullDisk() throws {
            let disk = try SmallDisk(kilobytes: 1024)
            let mirror = try DemoMirror(on: disk.path)
            let result = try mirror.run("--json")
            #expect(result.code == 5 && result.isPlain)
            let events = try RunEvent.all(in: result.out)
            #expect(events.count { $0.name == "stopping" } == 1 && events.last?.name == "run-finished")
            let done = events.ended("done")
            #expect(!done.isEmpty && done.count < 90)
            let lines = result.err.split(separator: "\n")
            #expect(lines.count == 2, "\(result.err)")
            // Either the ledger or a file meets the full disk first.
            #expect(
                lines.first?.contains(/^stopping: .*(the disk is full|No space left on device)/) == true, "\(lines)")
            #expect(lines.last?.hasPrefix("stopped: \(done.count) done, ") == true)
            #expect(lines.last?.hasSuffix(" remaining; run again to continue") == true)
            #expect(try mirror.unfinished() == [])
            try disk.remount("size=16m")
            let next = try mirror.finish()
            #expect(done.isSubset(of: next.ended("kept")))
        }
    }
}

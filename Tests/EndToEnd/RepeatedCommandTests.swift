// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Repeating the last command") struct RepeatedCommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let options = ["--pages", "1", "--per-page", "3", "--variant", "thumb", "--sizes", "64", "--out", "m"]
            #expect(try Binary.run(["mirror", "demo"] + options, folder: folder.url).code == 0)
        }

        @Test(
            "Without SOURCE, mirror repeats the last command with the new options added",
            arguments: [[], ["--out", "m"]])
        func again(out: [String]) throws {
            let place = out.isEmpty ? folder.url.appending(path: "m") : folder.url
            let result = try Binary.run(["mirror", "--pages", "2", "--json"] + out, folder: place)
            #expect(result.code == 0, "\(result.err)")
            let events = try RunEvent.all(in: result.out)
            #expect(events.ended("kept") == [1, 2, 3] && events.ended("done") == [4, 5, 6])
            let names = folder.names().filter { $0.hasPrefix("m/thumbs/") && $0.hasSuffix(".jpg") }
            #expect(names.count == 6 && names.allSatisfy { $0.hasPrefix("m/thumbs/64/") })
        }

        @Test("The last command's options override files, and variables and arguments override them")
        func origins() throws {
            try Data("{\"pages\": 9, \"per-host\": 2, \"retries\": 9}".utf8)
                .write(to: folder.url.appending(path: "m/sluice.json"))
            let result = try Binary.shell(
                "SLUICE_SIZES=32 sluice mirror --print-config --retries 1 --json",
                folder: folder.url.appending(path: "m"))
            #expect(result.code == 0, "\(result.err)")
            let options = try RunEvent.all(in: result.out).map { event in
                [event[text: "option"], event[text: "value"], event[text: "origin"]]
            }
            #expect(options.contains(["pages", "1", "last-command"]) && options.contains(["per-host", "2", "file"]))
            #expect(options.contains(["sizes", "32", "variable"]) && options.contains(["retries", "1", "argument"]))
            #expect(try Binary.run(["verify", "m"], folder: folder.url).code == 0)
        }

        @Test("A folder that is not a mirror, or has no mirror command, cannot be continued")
        func refused() throws {
            #expect(try Binary.run(["thumbs", "m/originals", "--out", "t"], folder: folder.url).code == 0)
            for (out, reason) in [("nowhere", "is not a mirror"), ("t", "has no recorded command")] {
                let result = try Binary.run(["mirror", "--out", out], folder: folder.url)
                #expect(result.code == 2)
                #expect(result.err.hasSuffix("(without SOURCE it continues a mirror, but '\(out)' \(reason))\n"))
            }
            #expect(!folder.names().contains("nowhere"))
        }
    }
}

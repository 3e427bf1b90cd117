// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Feeds") struct FeedsCommandTests {
        @Test("A shown recipe is valid input, and faults in a recipe are reported by line and column")
        func recipe() throws {
            let folder = try TemporaryFolder()
            let shown = try Binary.run(["feeds", "show", "picsum", "--json"])
            #expect(shown.code == 0 && shown.err.isEmpty)
            try Data(shown.out.utf8).write(to: folder.url.appending(path: "mine.json"))
            let good = try Binary.run(["feeds", "check", "mine.json"], folder: folder.url)
            #expect(good == Binary.Result(code: 0, out: "", err: "mine.json is a valid recipe\n"))
            let wrong = shown.out.replacing("\"limit\"", with: "7").replacing("\"paging\"", with: "\"pagign\"")
            try Data(wrong.utf8).write(to: folder.url.appending(path: "mine.json"))
            let bad = try Binary.run(["feeds", "check", "mine.json"], folder: folder.url)
            let sentence = "mine.json:6:15: pagign: unknown member (did you mean paging?)\n"
            #expect(bad == Binary.Result(code: 2, out: sentence, err: ""))
            let refused = try Binary.run(["mirror", "mine.json", "-o", "out"], folder: folder.url)
            #expect(refused == Binary.Result(code: 2, out: "", err: "sluice: \(sentence)"))
            #expect(folder.names() == ["mine.json"])
            let piped = try Binary.shell("sluice feeds show picsum --json | sluice feeds check -")
            #expect(piped == Binary.Result(code: 0, out: "", err: "- is a valid recipe\n"))
        }

        @Test("feeds lists the services with the environment variables of their keys")
        func list() throws {
            let result = try Binary.run(["feeds"])
            #expect(result.code == 0 && result.out.hasPrefix("demo ") && result.out.contains("UNSPLASH_ACCESS_KEY"))
            #expect(try Binary.run(["feeds", "list"]) == result)
        }
    }
}

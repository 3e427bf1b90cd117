// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

extension CommandTests {
    @Suite("bench") struct BenchTests {
        private let folder = TemporaryFolder()

        private func bench(_ words: String...) throws -> Binary.Result {
            try Binary.run(["bench"] + words, folder: folder.url)
        }

        @Test(
            "An export matches its schema, compares as equal to itself and as slower than a faster one"
        )
        func comparing() throws {
            try bench(
                "loader", "-j", "2,auto", "--images", "6", "--bytes", "4k", "--latency", "none",
                "--export-json", "a.json", "--export-markdown", "a.md"
            ).expect(out: "auto")
            #expect(try Schema("bench").allows(JSON(parsing: folder.bytes(of: "a.json"))))
            #expect(try folder.text("a.md").hasPrefix("**Loader benchmark**"))
            let same = try bench("compare", "a.json", "a.json")
            #expect(same.code == 0 && same.out.hasSuffix("no significant difference\n"), "\(same)")
            // Four more digits before the decimal point make every rate faster.
            let quicker = try folder.text("a.json").replacing(/"rates":\[([0-9.,]+)\]/) { found in
                "\"rates\":[\(found.1.split(separator: ",").map { "1000\($0)" }.joined(separator: ","))]"
            }
            try folder.write(quicker, to: "b.json")
            #expect(try bench("compare", "b.json", "a.json").code == 3)
            #expect(try bench("compare", "a.json", "b.json").code == 0)
        }

        @Test(
            "A signal stops a sweep at once, and the results so far are printed and exported",
            arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
        func stopping(by signal: Int32, code: Int32) throws {
            let running = try Running(
                [
                    "bench", "loader", "-j", "1,2", "--images", "3", "--bytes", "4k", "--latency", "1ms", "--repeat",
                    "1000", "--export-json", "a.json",
                ], folder: folder.url)
            // The first results come through a pipe while the sweep continues.
            let first = try (0..<4).map { _ in try #require(try running.line()) }
            #expect(first[0] == "first samples" && first[1].contains("images/s"), "\(first)")
            #expect(first[2].hasPrefix("1 ") && first[3].hasPrefix("2 "), "\(first)")
            running.send(signal)
            try running.end().expect(code, out: "\nbest: ")
            let json = try JSON(parsing: folder.bytes(of: "a.json"))
            #expect(try Schema("bench").allows(json))
            #expect(json["points"]?.elements?.allSatisfy { $0["limit"]?.text != nil } == true)
        }
    }
}

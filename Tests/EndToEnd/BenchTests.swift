// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

extension CommandTests {
    @Suite("bench") struct BenchTests {
        private let folder = TemporaryFolder()

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

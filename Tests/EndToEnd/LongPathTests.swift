// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Row F5 of the fault table: paths that are too long for the system or the ledger.
    @Suite("Long paths") struct LongPathTests {
        private static let words = [
            "mirror", "demo", "--pages", "1", "--per-page", "2", "--sizes", "none", "--variant",
        ]

        /// Returns a path below `folder` of `count` bytes in all.
        private func path(_ count: Int, below folder: String) -> String {
            var path = folder
            while path.utf8.count < count - 1 {
                path += "/" + String(repeating: "d", count: min(100, count - path.utf8.count - 1))
            }
            return path
        }

        @Test(
            "F5: a path that is too long gives one message, and no folder is created",
            arguments: [500, 1000, 5000])
        func tooLong(count: Int) throws {
            let folder = try TemporaryFolder()
            let path = path(count, below: folder.path)
            let result = try Binary.run(Self.words + ["thumb", "--out", path])
            #expect(result.code == 5 && result.isPlain)
            #expect(result.err.hasPrefix("sluice: cannot use '\(folder.path)/ddd"), "\(result.err)")
            #expect(
                result.err.hasSuffix(
                    " as the output folder: its absolute path has \(path.utf8.count) bytes, the limit is 480\n"
                        + "hint: choose a shorter --out\n"), "\(result.err)")
            #expect(result.err.count { $0 == "\n" } == 2 && folder.names() == [])
            let read = try Binary.run(["verify", path])
            let reason = count > 4096 ? "File name too long" : "No such file or directory"
            #expect(read.code != 0 && read.err.contains(reason), "\(read.err)")
        }

        @Test("F5: a path of the maximum length works")
        func longest() throws {
            let folder = try TemporaryFolder()
            let path = path(480, below: folder.path)
            try #require(path.utf8.count == 480)
            let result = try Binary.run(Self.words + ["thumb", "--out", path])
            #expect(result.code == 0, "\(result.err)")
            #expect(try Binary.run(["verify", path]).code == 0)
        }
    }
}

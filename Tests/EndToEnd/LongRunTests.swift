// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Row G6 of the fault table: a run's memory does not grow with its length.
@Suite("Long runs", .timeLimit(.minutes(10))) struct LongRunTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns a run's peak memory for `count` photos whose addresses are all refused: each still gets a receipt.
    private func peak(of count: Int) throws -> Int {
        let lines = (0..<count).map { "http://10.0.0.\($0 % 250)/\($0).jpg\n" }.joined()
        try Data(lines.utf8).write(to: folder.url.appending(path: "\(count).txt"))
        let words = [
            "mirror", folder.path("\(count).txt"), "--out", folder.path("\(count)"), "--no-gallery", "--no-robots",
            "--max-fail", "100%", "--quiet",
        ]
        #expect(try Binary.run(words).code == 3)
        let report = try Data(contentsOf: folder.url.appending(path: "\(count)/report.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
        #expect(object["failed"] as? Int == count)
        return try #require((object["cost"] as? [String: Any])?["peak_memory"] as? Int)
    }

    @Test("Five times as many photos take at most 20 % more memory")
    func memory() throws {
        let (short, long) = (try peak(of: 4_000), try peak(of: 20_000))
        #expect(Double(long) <= 1.2 * Double(short), "\(short) and \(long) bytes")
    }
}

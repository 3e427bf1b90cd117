// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceStore

/// Kills runs that write to a bucket, at many places, and continues each.
@Suite(
    "Buckets: kills", .enabled(if: ObjectStoreTools.hasSeaweed),
    .enabled(if: LongTests.areWanted, "\(LongTests.advice)"), .timeLimit(.minutes(20)))
struct BucketKillTests {
    /// The number of kills; without `SLUICE_KILLS`, as many as fit into a minute.
    private static let requested = ProcessInfo.processInfo.environment["SLUICE_KILLS"].flatMap { Int($0) }
    /// A run prints some fifty lines.
    private static let lastLine = 60
    private static let photos = 12

    /// A mirror that runs continue until one is not killed.
    private struct Location {
        let prefix: String
        /// The originals that runs have reported as done, by the numbers of their items.
        var done: [Int: String] = [:]

        func arguments(in bucket: BucketUnderTest) -> [String] {
            [
                "mirror", "demo", "--pages", "2", "--per-page", "\(photos / 2)", "--variant", "thumb", "--sizes", "64",
                "--json", "--out", bucket.url(prefix), "--state", "state-\(prefix)",
            ]
        }

        /// Compares a run's events with those of the earlier runs and with the bucket.
        mutating func check(_ output: String, in bucket: BucketUnderTest) throws {
            let events = try RunEvent.all(in: output).filter { $0.name == "item-ended" }
            for event in events where event[text: "end"] == "done" {
                #expect(done[event.seq] == nil, "item \(event.seq) was done before")
                let file = try #require(event[text: "file"])
                done[event.seq] = file
            }
            for file in done.values { #expect(try bucket.contains("\(prefix)/\(file)"), "\(prefix)/\(file)") }
        }
    }

    @Test("Killed runs have reported only objects that exist, and no finished work is repeated")
    func kills() async throws {
        let bucket = try await BucketUnderTest()
        let deadline = ContinuousClock.now + .seconds(60)
        var location = Location(prefix: "m0")
        var kills = 0
        while Self.requested.map({ kills < $0 }) ?? (.now < deadline) {
            let run = try bucket.start(location.arguments(in: bucket))
            // A multiple of a number without common divisors reaches all lines.
            var lines = 1 + kills * 7 % Self.lastLine
            while lines > 0, try run.line() != nil { lines -= 1 }
            run.send(SIGKILL)
            kills += 1
            let result = try run.end()
            // The last line may be incomplete.
            let whole = result.out.lastIndex(of: "\n").map { String(result.out[..<$0]) } ?? ""
            try location.check(whole, in: bucket)
            if kills % 5 == 0 {
                try finish(&location, in: bucket)
                location = Location(prefix: "m\(kills)")
            }
        }
        try finish(&location, in: bucket)
        #expect(kills >= 5)
    }

    private func finish(_ location: inout Location, in bucket: BucketUnderTest) throws {
        let last = try bucket.start(location.arguments(in: bucket)).end().expect()
        try location.check(last.out, in: bucket)
        #expect(try RunEvent.all(in: last.out).ended("kept").union(Set(location.done.keys)).count == Self.photos)
        try bucket.run(
            "verify", bucket.url(location.prefix), "--state", "state-\(location.prefix)"
        ).expect(err: "of \(Self.photos) photos")
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Mirrors and thumbnail sets of each released version, which every later version must read and continue.
    @Suite("Upgrade") struct UpgradeTests {
        static let archives = try? FileManager.default.contentsOfDirectory(atPath: place).filter {
            $0.hasSuffix(".tar.gz")
        }
        private static let place = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Archives").path

        private let folder = TemporaryFolder()

        private func unpack(_ archive: String) throws {
            let tar = try Running(["-xzf", "\(Self.place)/\(archive)", "-C", folder.path], program: "/usr/bin/tar")
            #expect(try tar.end().code == 0)
        }

        private func sluice(_ arguments: String...) throws -> Binary.Result {
            try Binary.run(arguments, folder: folder.url)
        }

        @Test("The archives of released versions are there")
        func present() throws { #expect(try #require(Self.archives).contains("0.1.0.tar.gz")) }

        @Test(
            "A mirror of an older version is intact, and the next run downloads only new photos",
            arguments: archives ?? [])
        func mirror(archive: String) throws {
            try unpack(archive)
            try sluice("verify", "mirror", "--deep").expect()
            let before = try pictures()
            let run = try sluice(
                "mirror", "demo", "--per-page", "4", "--max-items", "10", "--variant", "thumb", "--sizes", "64",
                "--out", "mirror", "--json"
            ).expect()
            let events = try RunEvent.all(in: run.out)
            #expect(events.ended("kept") == Set(1...6) && events.ended("done") == Set(7...10))
            let after = try pictures()
            #expect(after.filtered { before.names.contains($0) } == before)
            #expect(after.names.count == 20)
            #expect(try sluice("verify", "mirror", "--deep").code == 0)
        }

        /// The originals and thumbnails of the mirror.
        private func pictures() throws -> Tree {
            try Tree(of: "\(folder.path)/mirror").filtered { $0.hasPrefix("originals/") || $0.hasPrefix("thumbs/") }
        }

        @Test("A thumbnail set of an older version is intact, and nothing is made again", arguments: archives ?? [])
        func thumbnails(archive: String) throws {
            try unpack(archive)
            try sluice("verify", "small").expect()
            let run = try sluice("thumbs", "photos", "--sizes", "64", "--out", "small", "--json").expect()
            #expect(try RunEvent.all(in: run.out).ended("kept") == Set(1...6))
        }
    }
}

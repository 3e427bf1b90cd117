// SPDX-License-Identifier: MIT

import Foundation
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Runs that skip similar photos", .serialized, .timeLimit(.minutes(10))) struct SimilarPhotosTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
    }

    private func write(_ name: String, _ width: Int, seed: Int = 1) throws {
        try TestScene(seed: seed).write(folder.path("in/\(name)"), width, width * 2 / 3)
    }

    @discardableResult private func mirror(skipsSimilar: Bool = true) async throws -> Summary {
        var options = MirrorOptions()
        options.skipsSimilar = skipsSimilar
        return try await PhotoMirror(of: folder.path("in"), into: folder.path("m"), options: options).run()
    }

    private func originals() -> [String] {
        folder.names().filter { $0.hasPrefix("m/originals/") }.map { String($0.dropFirst(12)) }.sorted()
    }

    /// The causes and details of the photos that are not done, by their positions.
    private func skipped() throws -> [Int: String] {
        let mirror = try MirrorFolder.open(reading: folder.path("m"))
        var found: [Int: String] = [:]
        var batches = mirror.ledger.batches()
        while let entries = try batches.next() {
            for entry in entries where entry.receipt?.state == .skipped {
                found[entry.item.seq] = entry.receipt?.failure?.description
            }
        }
        mirror.close()
        return found
    }

    @Test("The best of new copies stays, the others are recorded as skipped, and no later run reads them again")
    func newCopies() async throws {
        try write("a.jpg", 240)
        try write("b.jpg", 480)
        try write("c.jpg", 480, seed: 2)
        let first = try await mirror()
        #expect((first.done, first.skipped, first.copies, first.causes) == (2, 1, 1, [.duplicate: 1]))
        let before = originals()
        #expect(try before.count == 2 && skipped() == [1: "duplicate: a copy of 2"])
        let again = try await mirror()
        #expect(again.done == 0 && again.skipped == 1 && again.kept == 2 && again.copies == 0 && originals() == before)
        #expect(!folder.names().contains("m/.sluice/similar"))
    }

    @Test("Photos of earlier runs stay, also those that are copies of each other or smaller than a new copy")
    func earlierPhotos() async throws {
        try write("a.jpg", 240)
        try write("b.jpg", 300)
        try await mirror(skipsSimilar: false)
        let before = originals()
        try write("c.jpg", 480)
        try write("d.jpg", 480, seed: 2)
        try await mirror()
        #expect(originals().count == 3 && Set(originals()).isSuperset(of: before))
        #expect(try skipped().keys.sorted() == [3])
    }

    @Test("The photos of a run that ended before the comparison are compared by the next one")
    func interrupted() async throws {
        try write("a.jpg", 240)
        try write("b.jpg", 480)
        try await mirror(skipsSimilar: false)
        // The state of a run that was killed.
        try Data("1\n".utf8).write(to: folder.url.appending(path: "m/.sluice/similar"))
        let summary = try await mirror()
        #expect((summary.done, summary.kept, summary.skipped, summary.copies) == (0, 1, 1, 1))
        #expect(try originals().count == 1 && skipped() == [1: "duplicate: a copy of 2"])
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

/// Damage anywhere in the ledger's file.
@Suite("Ledger with damage", .timeLimit(.minutes(10))) struct LedgerDamageTests {
    private let temporary = TemporaryFolder()
    private let folder: Folder
    private let bytes: [UInt8]

    init() throws {
        folder = try Folder(temporary.path)
        do {
            let ledger = try Ledger(in: folder)
            let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
            let items = try ledger.items(of: Samples.page(1, (1...100).map(String.init)), in: run)
            try ledger.record(items.map { (item: $0, receipt: Samples.done("\($0.seq)")) })
            try ledger.endRun(run, summary: Summary(), endedAt: 1)
            ledger.close()
        }
        bytes = try folder.read(Ledger.name, limit: 1 << 24)
    }

    /// Reads and writes the ledger in every way that commands do; returns the first error.
    private func use(_ bytes: [UInt8]) throws -> LedgerError? {
        try folder.write(bytes, to: Ledger.name)
        for suffix in ["-wal", "-shm", "-journal"] { try folder.remove(Ledger.name + suffix) }
        do {
            let reading = try Ledger(reading: folder)
            defer { reading.close() }
            _ = try reading.counts()
            _ = try reading.runs()
            _ = try reading.changes(after: 0, upTo: 1)
            try reading.forEachEntry { _ in }
            let ledger = try Ledger(in: folder, creates: false)
            defer { ledger.close() }
            let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 2)
            let items = try ledger.items(of: Samples.page(1, (50...150).map(String.init)), in: run)
            try ledger.record(items.map { (item: $0, receipt: Samples.done("\($0.seq + 1)")) })
            try ledger.endRun(run, summary: Summary(), endedAt: 3)
            _ = try ledger.exportStamp()
            #expect(try ledger.counts().done > 0)
            return nil
        } catch {
            return error as? LedgerError
        }
    }

    private func expectDamage(_ error: LedgerError?, _ what: String) {
        guard let error else { return }
        #expect(error.code == .damaged || error.code == .notALedger, "\(what): \(error)")
    }

    /// Some bytes gave "unsupported file format; please report this", "attempt to write a readonly database", or asked
    /// for a newer version of Sluice.
    @Test("A changed byte of the header is harmless or damage", arguments: [0xFF, 0x01] as [UInt8])
    func header(mask: UInt8) throws {
        for place in 0..<100 {
            var bytes = bytes
            bytes[place] ^= mask
            expectDamage(try use(bytes), "byte \(place)")
        }
    }

    @Test("A changed byte of the tables' definitions is harmless or damage", arguments: [0x20, 0x01] as [UInt8])
    func schema(mask: UInt8) throws {
        for place in stride(from: 100, to: 3 * 4096, by: 211) {
            var bytes = bytes
            bytes[place] ^= mask
            expectDamage(try use(bytes), "byte \(place)")
        }
    }

    /// A ledger of one byte became a new, empty one.
    @Test("A shorter file is damage") func cut() throws {
        let lengths = [0, 1, 2, 99, 100, 511, 512, 4095] + stride(from: 4096, to: bytes.count, by: 4096)
        for length in lengths {
            let error = try use(Array(bytes.prefix(length)))
            #expect(error != nil, "\(length) bytes")
            expectDamage(error, "\(length) bytes")
        }
    }

    @Test("An overwritten page is damage, unless it is never read", arguments: [0x00, 0x2A, 0xFF] as [UInt8])
    func page(byte: UInt8) throws {
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            var bytes = bytes
            bytes.replaceSubrange(start..<start + 4096, with: repeatElement(byte, count: 4096))
            expectDamage(try use(bytes), "page \(start / 4096 + 1)")
        }
        expectDamage(try use(Array(repeating: byte, count: bytes.count)), "all pages")
    }

    /// SQLite returned a changed address, caption or digest, and the manifest was written with it.
    @Test("No changed bit changes a result in silence") func bits() throws {
        func entries(_ bytes: [UInt8]) throws -> String {
            try folder.write(bytes, to: Ledger.name)
            let ledger = try Ledger(reading: folder)
            defer { ledger.close() }
            try ledger.checkIntegrity()
            var text = ""
            try ledger.forEachEntry { text += "\($0)\n" }
            return text
        }
        let intact = try entries(bytes)
        var random = SplitMix64(seed: 7)
        var found = 0
        for _ in 0..<1000 {
            var changed = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            do {
                #expect(try entries(changed) == intact, "byte \(place)")
            } catch let error as LedgerError {
                expectDamage(error, "byte \(place)")
                found += 1
            }
        }
        // Pages that no table uses are not read.
        #expect(found > 900, "\(found) found")
    }

    @Test("Invalid SQL and a ledger of a newer version are not damage") func sound() throws {
        try folder.write(bytes, to: Ledger.name)
        let ledger = try Ledger(in: folder, creates: false)
        let error = try #require(throws: LedgerError.self) {
            try ledger.connection.withLock { (connection) throws(LedgerError) in
                try connection.database.execute("SELECT missing FROM items")
            }
        }
        #expect(error.code == .internal, "\(error)")
        try ledger.connection.withLock { (connection) throws(LedgerError) in
            try connection.database.execute("CREATE TABLE more (a); PRAGMA user_version = 99")
        }
        ledger.close()
        let newer = try #require(throws: LedgerError.self) { try Ledger(in: folder) }
        #expect(newer.code == .tooNew, "\(newer)")
    }
}

@Suite("Growth of the ledger", .timeLimit(.minutes(10))) struct LedgerGrowthTests {
    private let temporary = TemporaryFolder()
    private let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
    }

    /// Performs a run that reads 20 pages of 5 photos, of which all but `new` were done before.
    private func day(_ number: Int, in ledger: Ledger, new: Int = 0) throws {
        let words = ["mirror", "https://a.example/feed", "--out", "photos", "--if-changed"]
        let run = try ledger.beginRun(
            source: "a", feed: "a", options: "v1", walk: "w", words: words, startedAt: number * 86_400)
        for page in 1...20 {
            var ids = (1...5).map { "\(page)-\($0)" }
            if page == 1 { ids += (0..<new).map { "new-\(number)-\($0)" } }
            let items = try ledger.items(of: Samples.page(page, ids), in: run)
            let open = try items.filter { try ledger.claim($0).receipt == nil }
            try ledger.record(open.map { (item: $0, receipt: Samples.done("\($0.seq)")) })
        }
        try ledger.finishWalk(of: run)
        try ledger.endRun(run, summary: Summary(), endedAt: number * 86_400 + 60)
    }

    @Test("A year of daily runs without new photos does not let the ledger grow")
    func idleYear() throws {
        let ledger = try Ledger(in: folder)
        for number in 1...40 { try day(number, in: ledger) }
        let size = try #require(folder.size(of: Ledger.name))
        for number in 41...365 { try day(number, in: ledger) }
        #expect(folder.size(of: Ledger.name) == size)
        // The first run did the photos, and the others are the last ones.
        #expect(try ledger.runs().map(\.id) == [1] + Array(335...365))
    }

    @Test("A year with a new photo every tenth day lets the ledger grow by its photos, and keeps these runs")
    func slowYear() throws {
        let ledger = try Ledger(in: folder)
        for number in 1...40 { try day(number, in: ledger) }
        let size = try #require(folder.size(of: Ledger.name))
        for number in 41...365 { try day(number, in: ledger, new: number % 10 == 0 ? 1 : 0) }
        let runs = try ledger.runs().map(\.id)
        #expect(runs.count == 1 + 29 + 31)
        #expect(try ledger.changes(after: 50, upTo: 60).map(\.kind) == [.new])
        // A photo needs less than 3 KB, also in the test for 20,000 photos.
        #expect(try #require(folder.size(of: Ledger.name)) - size <= 33 * 3000)
    }

    @Test("The last run of each source stays, and an interrupted run can be resumed")
    func neededRuns() throws {
        let ledger = try Ledger(in: folder)
        let other = try ledger.beginRun(source: "b", feed: "b", options: "", words: ["mirror", "b"], startedAt: 1)
        try ledger.endRun(other, summary: Summary(), endedAt: 2)
        for number in 1...60 { try day(number, in: ledger) }
        let broken = try ledger.beginRun(source: "a", feed: "a", options: "v1", walk: "w", startedAt: 100)
        _ = try ledger.items(of: Samples.page(1, ["1-1"]), in: broken)
        let next = try ledger.beginRun(source: "a", feed: "a", options: "v1", walk: "w", startedAt: 101)
        #expect(try ledger.interruptedWalk(before: next, since: 0)?.count == 1)
        #expect(try ledger.runs().first?.words == ["mirror", "b"])
    }
}

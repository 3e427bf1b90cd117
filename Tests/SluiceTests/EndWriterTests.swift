// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@testable import Sluice

@Suite("EndWriter", .timeLimit(.minutes(10))) struct EndWriterTests {
    private let temporary: TemporaryFolder
    private let folder: Folder
    private let ledger: Ledger
    private let items: [Item]

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
        try folder.makeFolder(".sluice/partial")
        try folder.makeFolder("originals")
        ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        items = try ledger.claim(Page(number: 1, photos: (1...200).map { Photo(id: "\($0)") }), in: run).map(\.item)
    }

    private func outcome(of item: Item, named name: String? = nil) throws -> Outcome {
        var outcome = Outcome()
        let name = name ?? "originals/\(item.seq)"
        outcome.files = [
            try folder.stage([1], as: name, temporary: ".sluice/partial/\(item.seq)", flushed: false)
        ]
        outcome.receipt.original = StoredFile(path: name, bytes: 1, sha256: "x")
        return outcome
    }

    private func receipt(of item: Item) throws -> Receipt? { try ledger.entry(at: item.seq)?.receipt }

    private func waiting() throws -> [String] { try folder.names(in: ".sluice/partial") }

    @Test(
        "Whoever is told of an end finds the file under its name and the receipt in the ledger",
        arguments: Durability.allCases)
    func order(durability: Durability) async throws {
        let writer = EndWriter(in: folder, ledger: ledger, durability: durability)
        let told = Locked<[Int: Bool]>([:])
        for item in items {
            writer.add(try outcome(of: item), of: item) { end, trouble in
                let stands = folder.size(of: "originals/\(item.seq)") == 1
                let isKnown = (try? receipt(of: item)) == end.receipt
                told.withLock { $0[item.seq] = stands && isKnown && trouble == nil }
            }
        }
        await writer.finish()
        #expect(told.withLock { $0 } == Dictionary(uniqueKeysWithValues: items.map { ($0.seq, true) }))
        #expect(try waiting() == [])
    }

    @Test("An item that was called off has its end told, and nothing of it stays")
    func cancelled() async throws {
        let writer = EndWriter(in: folder, ledger: ledger, durability: .batch)
        var called = try outcome(of: items[0])
        called.receipt.end(with: Failure(.cancelled, ""))
        let told = Locked<[End]>([])
        writer.add(called, of: items[0]) { end, _ in told.withLock { $0.append(end) } }
        await writer.finish()
        #expect(told.withLock { $0.map(\.receipt.state) } == [.skipped])
        #expect(try receipt(of: items[0]) == nil && waiting() == [] && folder.names(in: "originals") == [])
    }

    @Test("A file that cannot get its name fails its own item, and no other")
    func inTheWay() async throws {
        try folder.makeFolder("originals/2")
        let writer = EndWriter(in: folder, ledger: ledger, durability: .batch) { error in
            error.isInTheWay ? Failure(.policy, error.path) : Failure(error)
        }
        for item in items[..<3] { writer.add(try outcome(of: item), of: item) { _, _ in } }
        await writer.finish()
        let states = try items[..<3].map { try receipt(of: $0)?.state }
        #expect(states == [.done, .failed, .done])
        #expect(try receipt(of: items[1])?.original == nil && waiting() == [])
    }

    @Test(
        "A folder that cannot be made fails those whose files are to stand in it, and no other",
        arguments: Durability.allCases)
    func noFolder(durability: Durability) async throws {
        try folder.write([1], to: "originals/a")
        let writer = EndWriter(in: folder, ledger: ledger, durability: durability)
        let names = ["originals/1", "originals/a/2", "originals/b/3"]
        for (item, name) in zip(items, names) { writer.add(try outcome(of: item, named: name), of: item) { _, _ in } }
        await writer.finish()
        #expect(try items[..<3].map { try receipt(of: $0)?.state } == [.done, .failed, .done])
        #expect(folder.size(of: "originals/b/3") == 1)
    }

    @Test("Where the ledger cannot be written, nobody is told of a done item, and the run is to stop")
    func ledgerTrouble() async throws {
        let writer = EndWriter(in: folder, ledger: ledger, durability: .batch)
        let unknown = Item(seq: 777, feed: "demo", page: 1, photo: Photo(id: "?"))
        let told = Locked<[(End, StopReason?)]>([])
        writer.add(try outcome(of: unknown), of: unknown) { end, trouble in told.withLock { $0.append((end, trouble)) }
        }
        await writer.finish()
        #expect(told.withLock { $0.map(\.0.receipt.state) } == [.failed])
        #expect(told.withLock { $0.first?.1?.isTrouble } == true)
    }

    @Test("What is replaced goes when the new file has its name")
    func replaced() async throws {
        try folder.write([9], to: "originals/old")
        let writer = EndWriter(in: folder, ledger: ledger, durability: .each)
        var new = try outcome(of: items[0])
        new.replaced = ["originals/old"]
        writer.add(new, of: items[0]) { _, _ in }
        await writer.finish()
        #expect(try folder.names(in: "originals") == ["1"])
    }
}

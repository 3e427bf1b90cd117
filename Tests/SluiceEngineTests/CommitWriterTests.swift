// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceEngine
@testable import SluiceStore

@Suite("CommitWriter", .timeLimit(.minutes(10))) struct CommitWriterTests {
    private let temporary = TemporaryFolder()
    private let folder: Folder
    private let store: LocalStore
    private let ledger: Ledger
    private let items: [Item]

    init() throws {
        folder = try Folder(temporary.path)
        try folder.makeFolder(".sluice/partial")
        store = LocalStore(folder, stagingIn: ".sluice/partial")
        try folder.makeFolder("originals")
        ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        items = try ledger.claim(Page(number: 1, photos: (1...200).map { Photo(id: "\($0)") }), in: run).map(\.item)
    }

    private func processed(_ item: Item, named name: String? = nil) throws -> ProcessedItem {
        var result = ProcessedItem()
        let name = name ?? "originals/\(item.seq)"
        result.files = [
            try store.stage([1], as: name, temporary: "\(item.seq)", durability: .none)
        ]
        result.receipt.original = StoredFile(path: name, bytes: 1, sha256: "x")
        return result
    }

    private func receipt(of item: Item) throws -> Receipt? { try ledger.entry(at: item.seq)?.receipt }

    private func stagedFiles() throws -> [String] { try folder.names(in: ".sluice/partial") }

    @Test(
        "When an item's end is reported, its file and its receipt are in place",
        arguments: Durability.allCases)
    func order(durability: Durability) async throws {
        let writer = CommitWriter(in: store, ledger: ledger, durability: durability)
        let reported = Locked<[Int: Bool]>([:])
        for item in items {
            writer.commit(try processed(item), of: item) { end, stopReason in
                let isPlaced = folder.size(of: "originals/\(item.seq)") == 1
                let isRecorded = (try? receipt(of: item)) == end.receipt
                reported.withLock { $0[item.seq] = isPlaced && isRecorded && stopReason == nil }
            }
        }
        await writer.finish()
        #expect(reported.withLock { $0 } == Dictionary(uniqueKeysWithValues: items.map { ($0.seq, true) }))
        #expect(try stagedFiles() == [])
    }

    @Test("The end of a cancelled item is reported, and nothing of it remains")
    func cancelled() async throws {
        let writer = CommitWriter(in: store, ledger: ledger, durability: .batch)
        var cancelled = try processed(items[0])
        cancelled.receipt.end(with: Failure(.cancelled, ""))
        let reported = Locked<[ItemOutcome]>([])
        writer.commit(cancelled, of: items[0]) { end, _ in reported.withLock { $0.append(end) } }
        await writer.finish()
        #expect(reported.withLock { $0.map(\.receipt.state) } == [.skipped])
        #expect(try receipt(of: items[0]) == nil && stagedFiles() == [] && folder.names(in: "originals") == [])
    }

    /// Commits a result for an item as the ledger knows it now, and returns the item's state.
    private func commit(_ result: ProcessedItem, of item: Item) async throws -> Receipt.State? {
        let writer = CommitWriter(in: store, ledger: ledger, durability: .batch)
        var result = result
        result.compare(with: try #require(try ledger.claim(positions: [item.seq]).first))
        writer.commit(result, of: item) { _, _ in }
        await writer.finish()
        return try receipt(of: item)?.state
    }

    /// Such a file was replaced unless the item was new or had been refused before.
    @Test("A known item replaces no file that its receipt omits", arguments: [nil, Cause.timeout])
    func foreignFile(cause: Cause?) async throws {
        let item = items[0]
        if let cause { try ledger.record(Receipt(.failed, failure: Failure(cause, "")), for: item) }
        try folder.write([7, 7], to: "originals/1")
        for _ in 1...2 {
            #expect(try await commit(processed(item), of: item) == .failed)
            #expect(try folder.read("originals/1") == [7, 7])
            #expect(try receipt(of: item)?.failure?.cause == .policy)
            #expect(try stagedFiles() == [])
        }
    }

    @Test("An item replaces the files of a run that ended before it recorded their receipt") func interrupted()
        async throws
    {
        try folder.write([7, 7], to: "originals/1")
        try ledger.markInDoubt([items[0]], flushed: false)
        #expect(try await commit(processed(items[0]), of: items[0]) == .done)
        #expect(try folder.read("originals/1") == [1])
        #expect(try ledger.claim(positions: [1]).first?.isInDoubt == false)
    }

    @Test("An item is in doubt before its files get their names") func marks() async throws {
        try folder.makeFolder("originals/1")
        let wasMarked = Locked<Bool?>(nil)
        let writer = CommitWriter(in: store, ledger: ledger, durability: .batch) { [ledger] error in
            wasMarked.withLock { $0 = (try? ledger.claim(positions: [1]))?.first?.isInDoubt }
            return Failure(.policy, error.path)
        }
        writer.commit(try processed(items[0]), of: items[0]) { _, _ in }
        await writer.finish()
        #expect(wasMarked.withLock { $0 } == true)
    }

    @Test("An item that fails after it was done replaces its files when it is done again") func failedBetween()
        async throws
    {
        let item = items[0]
        #expect(try await commit(processed(item), of: item) == .done)
        try folder.write([7, 7], to: "originals/1")
        for _ in 1...2 {
            let failed = ProcessedItem(Receipt(.failed, failure: Failure(.timeout, "")))
            #expect(try await commit(failed, of: item) == .failed)
        }
        #expect(try await commit(processed(item), of: item) == .done)
        #expect(try folder.read("originals/1") == [1])
    }

    @Test("A file that cannot be renamed fails only its own item")
    func inTheWay() async throws {
        try folder.makeFolder("originals/2")
        let writer = CommitWriter(in: store, ledger: ledger, durability: .batch) { error in
            error.isWrongFileType ? Failure(.policy, error.path) : Failure(error)
        }
        for item in items[..<3] { writer.commit(try processed(item), of: item) { _, _ in } }
        await writer.finish()
        let states = try items[..<3].map { try receipt(of: $0)?.state }
        #expect(states == [.done, .failed, .done])
        #expect(try receipt(of: items[1])?.original == nil && stagedFiles() == [])
    }

    @Test(
        "A folder that cannot be created fails only the items with files in it",
        arguments: Durability.allCases)
    func noFolder(durability: Durability) async throws {
        try folder.write([1], to: "originals/a")
        let writer = CommitWriter(in: store, ledger: ledger, durability: durability)
        let names = ["originals/1", "originals/a/2", "originals/b/3"]
        for (item, name) in zip(items, names) { writer.commit(try processed(item, named: name), of: item) { _, _ in } }
        await writer.finish()
        #expect(try items[..<3].map { try receipt(of: $0)?.state } == [.done, .failed, .done])
        #expect(folder.size(of: "originals/b/3") == 1)
    }

    @Test("If the ledger cannot be written, no item is reported as done, and the run stops")
    func ledgerFailure() async throws {
        let writer = CommitWriter(in: store, ledger: ledger, durability: .batch)
        let unknown = Item(seq: 777, feed: "demo", page: 1, photo: Photo(id: "?"))
        let reported = Locked<[(ItemOutcome, StopReason?)]>([])
        writer.commit(try processed(unknown), of: unknown) { end, reason in
            reported.withLock { $0.append((end, reason)) }
        }
        await writer.finish()
        #expect(reported.withLock { $0.map(\.0.receipt.state) } == [.failed])
        #expect(reported.withLock { $0.first?.1?.isTrouble } == true)
    }

    @Test("Obsolete files are removed after the new file is in place")
    func replaced() async throws {
        try folder.write([9], to: "originals/old")
        let writer = CommitWriter(in: store, ledger: ledger, durability: .each)
        var new = try processed(items[0])
        new.obsoleteFiles = [StoredFile(path: "originals/old", bytes: 1, sha256: "")]
        writer.commit(new, of: items[0]) { _, _ in }
        await writer.finish()
        #expect(try folder.names(in: "originals") == ["1"] && ledger.intentions() == [.writeOutput])
    }

    /// Uploads waited until the ledger had recorded all earlier ones.
    @Test("In a bucket, a batch is committed while another one is still uploaded")
    func concurrentCommits() async throws {
        let stored = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let (uploading, others) = (Gate(opensAt: .max), Locked(0))
        let server = try RawServer([
            "/bucket/originals/1": [
                .until {
                    uploading.open()
                    return others.withLock { $0 } == 1
                }, .text(stored), .again,
            ],
            "/bucket/originals/2": [.text(stored), .again],
        ])
        var options = S3Options()
        options.endpoint = "http://\(server.host):\(server.port)"
        let client = try S3Client(
            bucket: "bucket", options: options, transfer: TransferOptions(userAgent: "test"),
            configuration: AWSConfiguration { ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"][$0] })
        let bucket = S3Store(
            S3Bucket(try #require(S3Location("s3://bucket")), client: client), folder: folder,
            stagingIn: ".sluice/partial")
        let writer = CommitWriter(in: bucket, ledger: ledger, durability: .batch, batchSize: 1)
        for item in items[..<2] {
            writer.commit(try processed(item), of: item) { _, _ in if item.seq == 2 { others.withLock { $0 += 1 } } }
            // The second item must not join the batch of the first one.
            await uploading.pass()
        }
        await writer.finish()
        #expect(try items[..<2].map { try receipt(of: $0)?.state } == [.done, .done])
    }
}

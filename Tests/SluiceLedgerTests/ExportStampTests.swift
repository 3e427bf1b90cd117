// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@Suite("Export stamps", .timeLimit(.minutes(10))) struct ExportStampTests {
    private let temporary: TemporaryFolder
    private let ledger: Ledger
    private let item: Item

    init() throws {
        temporary = try TemporaryFolder()
        ledger = try Ledger(in: try Folder(temporary.path))
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        item = try ledger.items(of: Samples.page(1, ["a", "b"]), in: run)[0]
        try ledger.record(Samples.done("1"), for: item)
        try ledger.recordExportStamp("old")
        try ledger.recordExportStamp("stamp")
    }

    private func list(_ page: Page) throws {
        let run = try ledger.beginRun(source: "demo", feed: "demo", options: "", startedAt: 0)
        _ = try ledger.claim(page, in: run)
        try ledger.finishWalk(of: run)
        try ledger.endRun(run, summary: Summary(), endedAt: 1)
    }

    @Test("A run without changes keeps the stamp")
    func unchanged() throws {
        try list(Samples.page(1, ["a", "b"]))
        try list(Samples.page(1, ["b"]))
        try ledger.recordCrashes(of: [item.seq])
        try ledger.clearCrashes(of: item)
        #expect(try ledger.exportStamp() == "stamp")
    }

    @Test("Every change that the manifest shows removes the stamp", arguments: 0...4)
    func changed(kind: Int) throws {
        switch kind {
        case 0: try ledger.record(Samples.failed(.timeout), for: item)
        case 1: try list(Samples.page(1, ["a", "b", "c"]))
        case 2: try list(Samples.page(2, ["a", "b"]))
        case 3: _ = try ledger.remove([item.seq])
        default:
            var page = Samples.page(1, ["a", "b"])
            page.photos[1].caption = "Another lake"
            try list(page)
        }
        #expect(try ledger.exportStamp() == nil)
    }
}

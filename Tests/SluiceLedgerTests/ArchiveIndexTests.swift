// SPDX-License-Identifier: MIT

import SluiceFiles
import TestSupport
import Testing

@testable import SluiceLedger

@Suite("ArchiveIndex", .timeLimit(.minutes(10))) struct ArchiveIndexTests {
    private let temporary: TemporaryFolder
    private let folder: Folder
    private let name = "w.cdxj.sqlite"

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    @Test("The records of a closed index are there when it is opened again")
    func reopened() throws {
        let record = ArchiveIndex.Record(line: "a", digest: "sha256:1", url: "https://a.test/", date: "2026")
        try ArchiveIndex(name, in: folder).extend(1, to: 7, adding: record)
        let index = try ArchiveIndex(name, in: folder)
        #expect(try index.lastFile().map { [$0.number, $0.length] } == [1, 7])
        #expect(try index.response(withPayload: "sha256:1")?.url == "https://a.test/")
        #expect(try ArchiveSnapshot(name, in: folder).files().map(\.length) == [7])
    }

    /// The archive may come from someone else, whose SQL would run.
    @Test(
        "An index with other objects is refused",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM files; END", "CREATE VIEW v AS SELECT 1",
            "DROP TABLE files; CREATE VIEW files AS SELECT 1 AS number, 1 AS length",
            "ALTER TABLE records ADD COLUMN v TEXT AS (printf('%1000000000d', file)) VIRTUAL", "DROP TABLE files",
        ])
    func otherObjects(sql: String) throws {
        try ArchiveIndex(name, in: folder).extend(1, to: 7)
        try Database(temporary.path(name)).execute(sql)
        for open in [{ _ = try ArchiveIndex(name, in: folder) }, { _ = try ArchiveSnapshot(name, in: folder) }] {
            #expect(throws: LedgerError.self) { try open() }
        }
    }
}

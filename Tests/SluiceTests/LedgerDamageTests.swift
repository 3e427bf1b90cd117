// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceFiles
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

/// Damage of the ledger that a run meets after its start.
@Suite("Ledger damage", .timeLimit(.minutes(10))) struct LedgerDamageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Overwrites the root page of a table.
    private func damage(_ table: String) throws {
        let ledger = try Ledger(in: Folder(folder.path("out")))
        let (page, size) = try ledger.connection.withLock { (connection) throws(LedgerError) in
            let root = try connection.database.count("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
            return (root, try connection.database.setting("page_size"))
        }
        ledger.close()
        let file = try FileHandle(forUpdating: folder.url.appending(path: "out/\(Ledger.name)"))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0x2A, count: size))
        try file.close()
    }

    /// The run ended with exit code 5, and advised to run again.
    @Test(
        "Damage that an item meets stops the run as damage, with one sentence", arguments: ["names"])
    func midRun(table: String) async throws {
        _ = try await PhotoMirror(of: "demo", into: folder.path("out"), options: .small()).run()
        try damage(table)
        let options = MirrorOptions.small { $0.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)] }
        let stops = Locked<[StopReason]>([])
        let summary = try await PhotoMirror(of: "demo", into: folder.path("out"), options: options).run { event in
            if case .stopping(let reason) = event { stops.withLock { $0.append(reason) } }
        }
        guard case .damaged(let failure) = summary.stop else {
            Issue.record("\(String(describing: summary.stop))")
            return
        }
        #expect(failure.detail.contains("ledger") && failure.hint == .rebuildLedger, "\(failure)")
        #expect(stops.withLock { $0.count } == 1)
    }
}

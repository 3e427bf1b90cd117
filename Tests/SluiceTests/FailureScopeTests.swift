// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine
@testable import SluiceLedger

/// Whether a failure concerns its item or stops the run.
@Suite("Failure scope", .timeLimit(.minutes(10))) struct FailureScopeTests {
    private let folder = TemporaryFolder()

    @Test("A failure concerns its item unless it states otherwise")
    func standard() {
        #expect(Failure(.timeout, "").scope == .item)
        #expect(Failure(.disk, "unreadable").scope == .item)
        #expect(Failure(ImagingError(.corrupt, "")).scope == .item)
    }

    @Test("Errors in the run's own folder and ledger stop the run")
    func ownFolder() {
        let full = FileError(code: ENOSPC, operation: "write", path: "/m/a")
        #expect(Failure(full).scope == .run)
        #expect(Failure(LedgerError(code: .diskFull, number: 0, reason: "", path: "/m")).scope == .run)
        guard case .local(let failure) = StopReason(MirrorError(full)) else {
            Issue.record("a full disk is a local problem")
            return
        }
        #expect(failure.scope == .run)
    }

    @Test("An input file that cannot be read fails alone")
    func inputFile() async throws {
        // A symbolic link to itself exists, but cannot be opened.
        let looping = folder.path("loop.jpg")
        try FileManager.default.createSymbolicLink(atPath: looping, withDestinationPath: looping)
        let run = ThumbnailRun(of: [looping], into: folder.path("out"))
        let failures = Locked<[Failure]>([])
        let summary = try await run.run { event in
            guard case .itemEnded(_, .failed(let receipt)) = event, let failure = receipt.failure else { return }
            failures.withLock { $0.append(failure) }
        }
        #expect(summary.stop == nil && summary.failed == 1)
        let failure = try #require(failures.withLock { $0.first })
        #expect(failure.cause == .disk && failure.scope == .item && failure.finalURL == looping)
    }
}

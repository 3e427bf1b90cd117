// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("LocalFile", .timeLimit(.minutes(5))) struct LocalFileTests {
    /// The whole file was copied for the first check.
    @Test("The early check sees the first bytes of a file, and twice as many each time", arguments: [true, false])
    func earlyCheck(accepts: Bool) throws {
        let temporary = try TemporaryFolder()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: temporary.url.appending(path: "photo"))
        let partial = try PartialFile("copy", in: try Folder(temporary.path))
        let seen = Locked<[Int]>([])
        let file = LocalFile(temporary.path("photo"), followsLink: false)
        #expect(file.size == bytes.count)
        let result = try file.copy(into: partial, limit: .max, unless: nil, token: CancellationToken()) { start, _ in
            seen.withLock { $0.append(start.count) }
            return accepts ? .accepted : .undecided
        }
        guard case .complete(let response) = result else { return #expect(Bool(false), "not complete") }
        #expect(response.bytes == bytes.count && response.sha256 == SHA256.digest(of: bytes))
        let steps = [16, 32, 64, 128, 256].map { $0 << 10 }
        #expect(seen.withLock { $0 } == (accepts ? [steps[0]] : steps))
        #expect(try temporary.bytes(of: "copy") == bytes)
    }
}

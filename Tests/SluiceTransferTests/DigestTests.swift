// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@Suite("Digest", .timeLimit(.minutes(10))) struct DigestTests {
    @Test("Hashing a file ends without a result when its token is cancelled")
    func cancellation() throws {
        let folder = try TemporaryFolder()
        try Data("abc".utf8).write(to: folder.url.appending(path: "file"))
        let file = try FileHandle(forReadingFrom: folder.url.appending(path: "file"))
        let token = CancellationToken()
        let wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, token: token) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, upTo: 3) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, upTo: 1000) == wanted)
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, upTo: 2) == SHA256.digest(of: Array("ab".utf8)))
        token.cancel()
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, token: token) == nil)
    }

    /// The wanted values are Python's.
    @Test("SHA-256 of every length up to three blocks, and of a long text in pieces")
    func values() {
        let hashes = SHA256()
        for length in 0..<200 {
            let digest = SHA256.digest(of: (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) })
            hashes.update(Array(digest.utf8))
        }
        #expect(hashes.finish() == "ca07a79e06ea4c825585cbbf34308733cb36356746a5eec888d7f813ec003999")
        for size in [1, 63, 64, 65, 4096] {
            var left = 1_000_000
            while left > 0 {
                let count = min(size, left)
                hashes.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
                left -= count
                if left == 500_000 { #expect(hashes.currentValue().count == 64) }
            }
            #expect(hashes.currentValue() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
            #expect(hashes.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        }
    }
}

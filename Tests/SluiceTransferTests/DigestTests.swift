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
        token.cancel()
        #expect(SHA256.digest(ofFileAt: file.fileDescriptor, token: token) == nil)
    }
}

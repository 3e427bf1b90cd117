// SPDX-License-Identifier: MIT

import SluiceFiles
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Equivalent addresses", .timeLimit(.minutes(1))) struct EquivalentAddressTests {
    private let addresses = ["http://a.example/\u{E9}.jpg", "http://a.example/e\u{301}.jpg"]

    /// Requests were compared as Unicode compares texts, so the second photo got the bytes of the first.
    @Test("Addresses that are equal in Unicode, but have different bytes, are two downloads")
    func downloads() throws {
        let temporary = try TemporaryFolder()
        let folder = try Folder(temporary.path)
        let shared = SharedDownloads()
        let roles = try addresses.enumerated().map { index, address in
            shared.join(Request(address), into: try PartialFile("\(index)", in: folder))
        }
        for role in roles {
            guard case .lead = role else { return #expect(Bool(false), "the second address follows the first") }
        }
        guard case .follow = shared.join(Request(addresses[1]), into: try PartialFile("2", in: folder)) else {
            return #expect(Bool(false), "the same address is loaded twice")
        }
    }

    @Test("Their versions have nothing in common")
    func versions() throws {
        let versions = addresses.map { CachedVersion(from: $0, etag: "\"a\"", lastModified: nil) }
        #expect(versions[0] != versions[1])
        let web = try addresses.map { try #require(WebAddress($0)) }
        #expect(!web[0].hasResource(of: web[1]) && web[0].hasOrigin(of: web[1]))
        #expect(
            try #require(CachedVersion(from: addresses[0], etag: "\"a\"", lastModified: nil)).headers(at: web[1]) == nil
        )
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceStore
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceCluster

/// Files with hosts' rules that the workers of a plan share.
@Suite("Shared rules of hosts", .timeLimit(.minutes(10))) struct SharedOriginFilesTests {
    private let folder = TemporaryFolder()
    private let url = "https://a.test/robots.txt"

    /// A worker on a day.
    private func worker(_ day: Int = 0, longestWait: Duration = .seconds(60)) throws -> SharedOriginFiles {
        SharedOriginFiles(
            in: LocalStore(try Folder(folder.url.path)), "rules", hosts: ["a.test"], longestWait: longestWait,
            now: { day * 86_400 + 5 })
    }

    private func file(_ worker: SharedOriginFiles, _ url: String? = nil) async -> OriginFile? {
        await worker.file(from: url ?? self.url, token: CancellationToken())
    }

    @Test(
        "One worker requests a file, and the others wait for its answer",
        arguments: [OriginFile.content(Array("User-agent: *\nDisallow: /\n".utf8)), .content([0xFF, 10, 0]), .missing])
    func answer(shared: OriginFile) async throws {
        let (first, second) = (try worker(), try worker())
        #expect(await file(first) == nil)
        async let waiting = file(second)
        await first.share(shared, from: url)
        #expect(await waiting == shared)
        #expect(await file(try worker(), "https://a.test/other") == nil, "another file")
        #expect(first.isShared("a.test") && !first.isShared("b.test"))
    }

    @Test("A file counts on its day only")
    func days() async throws {
        #expect(await file(try worker(3)) == nil)
        await (try worker(3)).share(.missing, from: url)
        #expect(await file(try worker(3)) == .missing)
        #expect(await file(try worker(4)) == nil)
    }

    @Test("If a worker gets no answer, the next one asks; if it was killed, the others wait for a limited time")
    func failures() async throws {
        let first = try worker()
        #expect(await file(first) == nil)
        #expect(await file(try worker(longestWait: .zero)) == nil, "the first worker may have been killed")
        await first.share(nil, from: url)
        #expect(await file(try worker()) == nil, "the claim is free again")
        let token = CancellationToken()
        token.cancel()
        #expect(await (try worker()).file(from: url, token: token) == nil, "a run that ends does not wait")
    }

    @Test(
        "A malformed file, one from another URL and one that is too large are requested again",
        arguments: ["", "{}", "{}\n", #"{"schema":1,"url":"https://b.test/robots.txt","missing":true}"# + "\n"])
    func malformed(text: String) async throws {
        #expect(await file(try worker()) == nil)
        await (try worker()).share(.missing, from: url)
        let names = folder.names().filter { $0.hasPrefix("rules/0/") && !$0.hasSuffix(".claim") }
        try #require(names.count == 1)
        try folder.write(text, to: names[0])
        #expect(await file(try worker()) == nil)
        try folder.write(Data(count: 2 << 20), to: names[0])
        #expect(await file(try worker()) == nil)
        await (try worker()).share(.content([UInt8](repeating: 32, count: 2 << 20)), from: url + "?")
        #expect(await file(try worker(longestWait: .zero), url + "?") == nil)
    }

    @Test("Without a usable folder, each worker requests the file")
    func unusable() async throws {
        try folder.write([], to: "rules")
        #expect(await file(try worker()) == nil)
        await (try worker()).share(.missing, from: url)
        #expect(await file(try worker()) == nil)
    }
}

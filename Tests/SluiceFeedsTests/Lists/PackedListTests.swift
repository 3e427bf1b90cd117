// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Packed lists", .timeLimit(.minutes(10))) struct PackedListTests {
    private static let text = (1...20_000).map { "https://a.test/\($0)-\($0 &* 7919)\n" }.joined()

    /// The text packed by a program of the machine's; `nil`, and said so, where there is none.
    private func packed(_ program: String, _ text: String = text) throws -> [UInt8]? {
        let path = "/usr/bin/\(program)"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            print("skipped: there is no \(path)")
            return nil
        }
        let plain = try TemporaryList(text)
        let process = Process()
        let out = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-q", "-c", plain.path]
        process.standardOutput = out
        try process.run()
        let bytes = try out.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](bytes)
    }

    @Test(
        "gzip and Zstandard are unpacked on the way, also several files behind each other", arguments: ["gzip", "zstd"])
    func whole(program: String) async throws {
        guard let bytes = try packed(program), let more = try packed(program, "https://a.test/last\n") else { return }
        let photos = try await Listing.read(bytes + more).photos
        #expect(photos.count == 20_001 && photos.last?.address == "https://a.test/last")
        #expect(photos.allSatisfy { $0.flaw == nil })
    }

    @Test("One that breaks off, or is damaged, keeps what was read before it fails", arguments: ["gzip", "zstd"])
    func broken(program: String) async throws {
        guard let bytes = try packed(program) else { return }
        for broken in [Array(bytes.dropLast(bytes.count / 3)), bytes + Array("rubbish".utf8)] {
            let list = try TemporaryList(broken)
            var walk = Walk(ListFeed(list.path, options: ListOptions()))
            var count = 0
            let failure = await #expect(throws: Failure.self) {
                while let page = try await walk.nextPage(token: Token()) { count += page.photos.count }
            }
            #expect(
                failure?.cause == .feedParse && count > 1000, "\(count) records, then \(String(describing: failure))")
        }
    }

    @Test("A bomb of one line is passed over in flat memory, and the next line is read")
    func bomb() async throws {
        guard
            let bytes = try packed(
                "gzip", "https://a.test/" + String(repeating: "x", count: 64 << 20) + "\nhttps://a.test/2\n")
        else { return }
        #expect(bytes.count < 1 << 20)
        let photos = try await Listing.read(bytes).photos
        #expect(photos.map(\.address) == [nil, "https://a.test/2"])
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceModel

@Suite("Blocklists", .timeLimit(.minutes(10))) struct BlocklistTests {
    private static let sha256 = String(repeating: "0123456789abcdef", count: 4)

    private func list(_ text: String) throws -> Blocklist { try Blocklist(Array(text.utf8)) }

    @Test("Hashes in either case are found, between comments, blanks and line ends of either kind")
    func parsing() throws {
        let list = try list("# hashes\r\n\n \(Self.sha256.uppercased())\t# a photo\r\n00000000000000ff")
        #expect(list.failure(ofContent: Self.sha256)?.cause == .blocked)
        #expect(list.failure(ofContent: String(Self.sha256.reversed())) == nil)
        #expect(list.failure(ofContent: "") == nil && list.failure(ofPicture: nil) == nil)
        #expect(try !self.list("\n\n00000000000000ff\n").isEmpty)
        #expect(try self.list("#\n\n").isEmpty && self.list("").isEmpty && !list.isEmpty)
    }

    @Test("Perceptual hashes match if they differ in at most four bits")
    func distance() throws {
        let list = try list("00000000000000ff")
        #expect(
            list.failure(ofPicture: "00000000000000f0") != nil && list.failure(ofPicture: "10000000000000f1") != nil)
        #expect(list.failure(ofPicture: "00000000000000e0") == nil && list.failure(ofPicture: "ff") == nil)
    }

    @Test("The hash of pictures of one colour names no picture")
    func plain() throws {
        let list = try list("8000000000000000\n0000000000000000\nff00ff00ff00ff00")
        #expect(
            list.failure(ofPicture: "8000000000000000") == nil && list.failure(ofPicture: "ff00ff00ff00ff00") != nil)
    }

    @Test(
        "A malformed line is refused by its number",
        arguments: [
            "0123", "0123456789abcdeg", "\(sha256)0", "\(sha256) \(sha256)", "0x23456789abcdef", "ｆf00000000000000",
        ])
    func malformed(line: String) {
        do {
            _ = try list("# one\n00000000000000ff\n\(line)\n")
            Issue.record("\(line) is accepted")
        } catch {
            #expect((error as? InvalidText)?.line == 3)
        }
    }

    @Test("A list with too many hashes is refused, and repeated ones count once")
    func limit() throws {
        let line = Array("00000000000000ff\n".utf8)
        #expect(try !Blocklist(Array(repeatElement(line, count: Blocklist.maxCount + 1).joined())).isEmpty)
        var text: [UInt8] = []
        for number in 0...Blocklist.maxCount {
            let digits = String(number, radix: 16)
            text += ("ffff" + String(repeating: "0", count: 12 - digits.count)).utf8
            text += digits.utf8
            text.append(UInt8(ascii: "\n"))
        }
        let error = #expect(throws: InvalidText.self) { try Blocklist(text) }
        #expect(error?.line == Blocklist.maxCount + 1)
    }

    @Test("The fingerprint depends on the hashes and not on their order")
    func fingerprint() throws {
        let first = try list("00000000000000ff\n\(Self.sha256)\n0000000000000001").fingerprint
        #expect(try first == list("0000000000000001\n00000000000000ff\n\(Self.sha256)").fingerprint)
        #expect(try first != list("00000000000000ff").fingerprint)
    }
}

// SPDX-License-Identifier: MIT

import SluiceEngine
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceDatasets

@Suite("Checks of web archives", .timeLimit(.minutes(10))) struct ArchiveCheckTests {
    private func record(_ block: String, length: Int? = nil) -> [UInt8] {
        let digest = "WARC-Block-Digest: sha256:\(sha256(Array(block.utf8)))"
        return Array(
            "WARC/1.1\r\nWARC-Type: resource\r\n\(digest)\r\nContent-Length: \(length ?? block.utf8.count)\r\n\r\n\(block)\r\n\r\n"
                .utf8)
    }

    private func compressed(_ bytes: [UInt8]) -> [UInt8] {
        let encoder = GzipEncoder(compressing: true)
        return encoder.add(bytes) + encoder.finish()
    }

    /// Checks a file in parts of `count` bytes.
    private func check(_ bytes: [UInt8], isCompressed: Bool = false, by count: Int = 7) throws(MirrorError) {
        var check = ArchiveCheck(of: "w", isCompressed: isCompressed)
        for start in stride(from: 0, to: bytes.count, by: count) {
            try check.add(Array(bytes[start..<min(start + count, bytes.count)]))
        }
        try check.finish()
    }

    @Test("Records are accepted in parts of any size", arguments: [1, 2, 3, 64, 1 << 20])
    func intact(count: Int) throws {
        let records = [record("first\r\n\r\nblock"), record(""), record(String(repeating: "long ", count: 100_000))]
        if count > 2 { try check(records.flatMap(\.self), by: count) }
        try check(Array((records[0] + records[1])), by: count)
        try check(records.flatMap(compressed), isCompressed: true, by: max(count, 64))
        try check([])
    }

    @Test("A flipped bit in a block is damage, and any one in compressed data")
    func flippedBits() throws {
        let plain = record("the block")
        let header = plain.count - "the block\r\n\r\n".utf8.count
        for index in header..<plain.count {
            var bytes = record("before") + plain + record("after")
            bytes[record("before").count + index] ^= 1 << UInt8(index % 8)
            let error = #expect(throws: MirrorError.self, "byte \(index)") { try check(bytes) }
            #expect(error?.code == .damaged && error?.message.contains("record 2 is damaged") == true)
        }
        let zipped = compressed(plain)
        // The first ten bytes have a time, flags and the system, which have no checksum.
        for index in 10..<zipped.count {
            var bytes = zipped
            bytes[index] ^= 1 << UInt8(index % 8)
            #expect(throws: MirrorError.self, "byte \(index)") { try check(bytes, isCompressed: true) }
        }
    }

    @Test("Records that are cut, too long or not compressed one by one are damage")
    func malformed() {
        let whole = record("block")
        for bytes in [Array(whole.dropLast()), record("block", length: 4), record("block", length: 6), whole + [13]] {
            #expect(throws: MirrorError.self) { try check(bytes) }
        }
        #expect(throws: MirrorError.self) { try check(Array("text".utf8)) }
        #expect(throws: MirrorError.self) { try check(record("block", length: .max)) }
        let zipped = compressed(whole)
        #expect(throws: MirrorError.self) { try check(Array(zipped.dropLast()), isCompressed: true) }
        #expect(throws: MirrorError.self) { try check(compressed(Array(whole.dropLast())), isCompressed: true) }
    }
}

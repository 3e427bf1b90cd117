// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceFeeds

@Suite("Line reader", .timeLimit(.minutes(10))) struct LineReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lines(of bytes: [UInt8]) throws -> [String] {
        try Data(bytes).write(to: folder.url.appending(path: "lines"))
        var reader = try LineReader(try Folder(folder.path).openForReading("lines"))
        var lines: [String] = []
        while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test("Lines are read from plain files and from several compressed frames", arguments: [1, 100, 100_000])
    func frames(size: Int) throws {
        let texts = (0..<5).map { String(repeating: "\($0)", count: size) }
        let plain = texts.map { Array("\($0)\n".utf8) }
        #expect(try lines(of: plain.flatMap(\.self)) == texts)
        let encoder = ZstdEncoder()
        #expect(try lines(of: plain.flatMap(encoder.frame)) == texts)
        #expect(try lines(of: encoder.frame([])) == [])
    }

    @Test("A file that ends within a frame or a line is an error")
    func truncated() throws {
        let frame = ZstdEncoder().frame(Array("one\ntwo\n".utf8))
        #expect(throws: Failure.self) { try lines(of: frame.dropLast()) }
        #expect(throws: Failure.self) { try lines(of: Array("one\ntwo".utf8)) }
    }
}

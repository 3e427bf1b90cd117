// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// Compresses the lines of a CDXJ index in blocks, and lists the blocks, so that a reader need not load all of them.
struct CompressedIndex {
    /// The names of the index and of the list of its blocks.
    static let (name, listName) = ("index.cdx.gz", "index.idx")
    /// The usual number of lines in a block.
    private static let linesPerBlock = 1024

    /// A line for each block with its first key, its place and its hash.
    private(set) var list = Array("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"\(name)\"}\n".utf8)
    private var block: [UInt8] = []
    private var lines = 0
    private var offset = 0

    /// Adds a line, in the order of the lines' bytes; returns the block that it completes.
    mutating func add(_ line: String) -> [UInt8] {
        block += line.utf8
        block.append(10)
        lines += 1
        return lines == Self.linesPerBlock ? finish() : []
    }

    /// Ends the last block and returns it; empty if it has no lines.
    mutating func finish() -> [UInt8] {
        guard lines > 0 else { return [] }
        let encoder = GzipEncoder(compressing: true)
        let compressed = encoder.add(block) + encoder.finish()
        let key = block.split(separator: UInt8(ascii: " "), maxSplits: 2).prefix(2).joined(separator: [0x20])
        let place = "\"offset\": \(offset), \"length\": \(compressed.count)"
        list += key
        list += " {\(place), \"digest\": \"sha256:\(SHA256.digest(of: compressed))\"}\n".utf8
        offset += compressed.count
        (block, lines) = ([], 0)
        return compressed
    }
}

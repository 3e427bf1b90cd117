// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceStore

/// Writes one tar file member by member.
///
/// The file gets its final name when it is committed. The bytes depend only on the members: owner and modification time
/// are always zero.
struct TarFile: ~Copyable {
    /// The block size of the tar format; every member starts at a multiple of it.
    private static let block = 512
    /// The size of the end of an archive.
    private static let end = 2 * block

    /// The size of a write; a system call for each part of a member would cost more than copying.
    private static let bufferSize = 256 << 10
    /// The number of bytes after which the system is asked to start writing them to the disk.
    private static let flushedSize = 16 << 20

    private let file: NewFile
    /// The size of the archive, with the bytes that are not written yet.
    private var bytes = 0
    private var buffer: [UInt8] = []
    /// The size of the archive when the system was last asked to start writing.
    private var flushed = 0

    init(_ name: String, in store: any Store) throws(FileError) { file = try store.create(name) }

    /// Adds a member with the given content.
    mutating func add(_ name: String, _ bytes: [UInt8]) throws(FileError) {
        try write(Self.header(name, count: bytes.count))
        try write(bytes)
        try pad()
    }

    /// Adds a member with the first `count` bytes of a file; returns false if the file has fewer.
    mutating func add(_ name: String, of source: borrowing OpenFile, count: Int) throws(FileError) -> Bool {
        try write(Self.header(name, count: count))
        try flush()
        guard try file.copy(source, count: count) else { return false }
        bytes += count
        try pad()
        return true
    }

    /// Writes the end of the archive and stages the file.
    consuming func stage() throws(FileError) -> StagedFile {
        try write([UInt8](repeating: 0, count: Self.end))
        try flush()
        return try file.stage(flushed: false)
    }

    /// The size of a member with `count` bytes of content.
    static func memberSize(_ count: Int) -> Int { block + (count + block - 1) / block * block }

    private mutating func write(_ bytes: [UInt8]) throws(FileError) {
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        buffer += bytes
        self.bytes += bytes.count
    }

    private mutating func flush() throws(FileError) {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
        // Otherwise the end would wait until the disk has written the whole archive.
        guard bytes - flushed >= Self.flushedSize else { return }
        file.startFlushing()
        flushed = bytes
    }

    private mutating func pad() throws(FileError) {
        let rest = bytes % Self.block
        if rest > 0 { try write([UInt8](repeating: 0, count: Self.block - rest)) }
    }

    /// The header of a regular file in the ustar format of POSIX.1-1988.
    private static func header(_ name: String, count: Int) -> [UInt8] {
        var header = emptyHeader
        var sum = emptySum
        func put(_ byte: UInt8, at offset: Int) {
            sum += Int(byte) - Int(header[offset])
            header[offset] = byte
        }
        var offset = 0
        for byte in name.utf8 {
            put(byte, at: offset)
            offset += 1
        }
        var rest = count
        for digit in (124..<135).reversed() {
            put(UInt8(ascii: "0") + UInt8(rest & 7), at: digit)
            rest >>= 3
        }
        for digit in (148..<154).reversed() {
            header[digit] = UInt8(ascii: "0") + UInt8(sum & 7)
            sum >>= 3
        }
        header[154] = 0
        return header
    }

    /// The header of a file without name and size, with the field of the checksum filled with blanks.
    private static let emptyHeader: [UInt8] = {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put("0000644\0" + "0000000\0" + "0000000\0", at: 100)
        put("00000000000\0" + "00000000000\0", at: 124)
        put("        0", at: 148)
        put("ustar\0" + "00", at: 257)
        return header
    }()
    private static let emptySum = emptyHeader.reduce(0) { $0 + Int($1) }
}

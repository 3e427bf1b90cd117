// SPDX-License-Identifier: MIT

internal import CZlib

/// Writes a ZIP file member by member, without compression.
///
/// The bytes depend only on the members: all of them have the oldest time that the format can represent. Members and
/// files may be larger than 4 GB (ZIP64).
package struct ZipFile: ~Copyable {
    private struct Member {
        let name: [UInt8]
        let offset: Int
        var size = 0
        var checksum: UInt32 = 0
    }

    /// The bit of names in UTF-8.
    private static let utf8Names = 0x0800
    /// The version of the format that has ZIP64.
    private static let version = 45
    /// 1 January 1980.
    private static let date = 0x0021

    private let file: NewFile
    /// The largest number that is not written in the fields of ZIP64.
    private let limit: Int
    private var members: [Member] = []
    /// The size of the file so far.
    private var length = 0

    /// The largest number for which a field of 32 bits suffices.
    package static let largest = Int(UInt32.max) - 1

    /// Starts an empty ZIP file; a smaller `limit` is for tests.
    package init(_ file: consuming NewFile, limit: Int = largest) {
        self.file = file
        self.limit = limit
    }

    /// Begins a member, to which ``write(_:)`` appends.
    package mutating func begin(_ name: String) throws(FileError) {
        try endMember()
        let member = Member(name: Array(name.utf8), offset: length)
        members.append(member)
        let header = Self.header(of: member)
        try file.write(header)
        length += header.count
    }

    /// Appends bytes to the member that was begun last.
    package mutating func write(_ bytes: [UInt8]) throws(FileError) {
        guard let last = members.indices.last else { preconditionFailure("bytes outside of a member") }
        let before = UInt(members[last].checksum)
        members[last].checksum = UInt32(
            unsafe bytes.withUnsafeBufferPointer { unsafe crc32_z(before, $0.baseAddress, $0.count) })
        members[last].size += bytes.count
        length += bytes.count
        try file.write(bytes)
    }

    /// Writes the directory, and returns the file, which does not have its name yet.
    package consuming func finish() throws(FileError) -> NewFile {
        try endMember()
        let start = length
        for member in members {
            let entry = entry(of: member)
            try file.write(entry)
            length += entry.count
        }
        try file.write(end(directory: start, size: length - start))
        return file
    }

    /// Writes the checksum and the size of the last member into its header.
    private borrowing func endMember() throws(FileError) {
        guard let member = members.last else { return }
        try file.overwrite(Self.header(of: member), at: member.offset)
    }

    /// The header before the bytes of a member; its sizes always have 64 bits, because it precedes them.
    private static func header(of member: Member) -> [UInt8] {
        var header = Fields()
        header.add(0x0403_4B50, 4)
        header.add(version, 2)
        header.add(utf8Names, 2)
        header.add(0, 4)
        header.add(date, 2)
        header.add(Int(member.checksum), 4)
        header.add(Int(UInt32.max), 4)
        header.add(Int(UInt32.max), 4)
        header.add(member.name.count, 2)
        header.add(20, 2)
        header.bytes += member.name
        header.add(1, 2)
        header.add(16, 2)
        header.add(member.size, 8)
        header.add(member.size, 8)
        return header.bytes
    }

    /// The entry of a member in the directory.
    private borrowing func entry(of member: Member) -> [UInt8] {
        var large = Fields()
        if member.size > limit {
            large.add(member.size, 8)
            large.add(member.size, 8)
        }
        if member.offset > limit { large.add(member.offset, 8) }
        var entry = Fields()
        entry.add(0x0201_4B50, 4)
        // A regular file of Unix.
        entry.add(3 << 8 | Self.version, 2)
        entry.add(Self.version, 2)
        entry.add(Self.utf8Names, 2)
        entry.add(0, 4)
        entry.add(Self.date, 2)
        entry.add(Int(member.checksum), 4)
        entry.add(short(member.size), 4)
        entry.add(short(member.size), 4)
        entry.add(member.name.count, 2)
        entry.add(large.bytes.isEmpty ? 0 : large.bytes.count + 4, 2)
        // No comment, the first disk, no attributes of the format's own.
        entry.add(0, 6)
        entry.add(0o100644 << 16, 4)
        entry.add(short(member.offset), 4)
        entry.bytes += member.name
        guard !large.bytes.isEmpty else { return entry.bytes }
        entry.add(1, 2)
        entry.add(large.bytes.count, 2)
        return entry.bytes + large.bytes
    }

    /// The end of the file, which says where the directory is.
    private borrowing func end(directory start: Int, size: Int) -> [UInt8] {
        var end = Fields()
        if start > limit || size > limit || members.count >= 0xFFFF {
            end.add(0x0606_4B50, 4)
            end.add(44, 8)
            end.add(3 << 8 | Self.version, 2)
            end.add(Self.version, 2)
            end.add(0, 8)
            end.add(members.count, 8)
            end.add(members.count, 8)
            end.add(size, 8)
            end.add(start, 8)
            end.add(0x0706_4B50, 4)
            end.add(0, 4)
            end.add(start + size, 8)
            end.add(1, 4)
        }
        end.add(0x0605_4B50, 4)
        end.add(0, 4)
        end.add(min(members.count, 0xFFFF), 2)
        end.add(min(members.count, 0xFFFF), 2)
        end.add(short(size), 4)
        end.add(short(start), 4)
        end.add(0, 2)
        return end.bytes
    }

    /// The value of a field with 32 bits: the number, or the sign that a field of ZIP64 has it.
    private borrowing func short(_ number: Int) -> Int { number > limit ? Int(UInt32.max) : number }

    /// Numbers with the lowest byte first.
    private struct Fields {
        var bytes: [UInt8] = []

        mutating func add(_ number: Int, _ count: Int) {
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
        }
    }
}

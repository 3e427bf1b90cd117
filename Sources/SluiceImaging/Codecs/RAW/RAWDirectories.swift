// SPDX-License-Identifier: MIT

/// The directories of a raw photo that is a TIFF file, whatever its magic number.
///
/// Directories refer to others. Each is read once, and their number and sizes are limited.
struct RAWDirectories {
    /// An entry of a directory.
    struct Entry {
        let type: Int
        let count: Int
        /// The offset of the values in the file.
        let offset: Int
    }

    /// A directory's entries by their tags.
    typealias Directory = [Int: Entry]

    // Cameras write at most about ten directories with fewer than a hundred entries each.
    private static let maxDirectories = 32
    private static let maxEntries = 512
    private static let maxSubdirectories = 16

    private static let subdirectoriesTag = 0x014A
    private static let exifTag = 0x8769

    /// The directories in the order of reading; the first one describes the photo.
    private(set) var all: [Directory] = []
    private let isBigEndian: Bool
    /// The offset of the TIFF structure in the file, from which its own offsets count.
    private let base: Int

    /// Reads all directories of the TIFF structure at an offset.
    init(at base: Int = 0, _ window: inout ByteWindow) throws(ImagingError) {
        self.base = base
        isBigEndian = try window.bytes(at: base, count: 2).elementsEqual("MM".utf8)
        var next = try number(at: base + 4, 4, &window)
        var subdirectories: [Int] = []
        // 0 ends the chain of directories.
        var seen: Set<Int> = [0]
        while seen.insert(next).inserted, all.count < Self.maxDirectories {
            let directory = try directory(at: base + next, &window)
            all.append(directory)
            if let entry = directory[Self.subdirectoriesTag] {
                subdirectories += try numbers(entry, limit: Self.maxSubdirectories, &window)
            }
            if let entry = directory[Self.exifTag] { subdirectories += try numbers(entry, &window) }
            next = try number(at: base + next + 2 + number(at: base + next, 2, &window) * 12, 4, &window)
        }
        for offset in subdirectories where all.count < Self.maxDirectories && seen.insert(offset).inserted {
            all.append(try directory(at: base + offset, &window))
        }
    }

    /// Reads the directory at an offset of the file, in the byte order of the others.
    func directory(at offset: Int, _ window: inout ByteWindow) throws(ImagingError) -> Directory {
        let count = try number(at: offset, 2, &window)
        guard count <= Self.maxEntries else { throw ImagingError(.badChunk, "a directory of \(count) entries") }
        var directory: Directory = [:]
        for start in stride(from: offset + 2, to: offset + 2 + count * 12, by: 12) {
            let type = try number(at: start + 2, 2, &window)
            let values = try number(at: start + 4, 4, &window)
            let isInline = values * Self.size(type) <= 4
            let place = isInline ? start + 8 : base + (try number(at: start + 8, 4, &window))
            directory[try number(at: start, 2, &window)] = Entry(type: type, count: values, offset: place)
        }
        return directory
    }

    /// Reads the first values of an entry of whole numbers.
    func numbers(_ entry: Entry, limit: Int = 1, _ window: inout ByteWindow) throws(ImagingError) -> [Int] {
        let size = Self.size(entry.type)
        guard size == 2 || size == 4 else { return [] }
        var numbers: [Int] = []
        for index in 0..<min(entry.count, limit) {
            numbers.append(try number(at: entry.offset + index * size, size, &window))
        }
        return numbers
    }

    /// Reads the first value of a tag in a directory; `nil` if it is absent.
    func number(_ tag: Int, in directory: Directory, _ window: inout ByteWindow) throws(ImagingError) -> Int? {
        guard let entry = directory[tag] else { return nil }
        return try numbers(entry, &window).first
    }

    /// The bytes per value of a type.
    private static func size(_ type: Int) -> Int {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: 1
        }
    }

    private func number(at offset: Int, _ count: Int, _ window: inout ByteWindow) throws(ImagingError) -> Int {
        Int(try window.bytes(at: offset, count: count).number(bigEndian: isBigEndian))
    }
}

// SPDX-License-Identifier: MIT

/// The pages of a TIFF, each of which a directory describes; their number and sizes are limited.
struct TIFFLayout {
    private static let maxPages = 64
    private static let maxSubdirectories = 16

    /// The page that Sluice shows: the first one that is neither a mask nor a reduced copy of another.
    let main: TIFFPage
    /// The number of further pages that are not copies of the main one.
    let others: Int
    /// Smaller copies of the main page, which have pixels of the same kind.
    let reduced: [TIFFPage]

    init(_ window: inout ByteWindow) throws(ImagingError) {
        let structure = try TIFFStructure(&window)
        var pages: [TIFFPage] = []
        var next = try structure.firstDirectory(&window)
        // 0 ends the chain of directories.
        var seen: Set<Int> = [0]
        while seen.insert(next).inserted, pages.count < Self.maxPages {
            let directory = try structure.directory(at: next, &window)
            pages.append(try TIFFPage(directory, structure, &window))
            next = directory.next
        }
        guard let first = pages.first else { throw ImagingError(.corrupt, "TIFF without a page") }
        let main = pages.first { !$0.isReduced && !$0.isMask } ?? first
        var smaller = pages.filter(\.isReduced)
        for offset in main.subdirectories.prefix(Self.maxSubdirectories) where seen.insert(offset).inserted {
            smaller.append(try TIFFPage(structure.directory(at: offset, &window), structure, &window))
        }
        self.main = main
        others = pages.count { $0.offset != main.offset && !$0.isReduced && !$0.isMask }
        reduced = smaller.filter { $0.offset != main.offset && $0.isCopy(of: main) }
    }

    /// Returns the smallest page that is at least of a size.
    func page(minimumSize: (width: Int, height: Int)) -> TIFFPage {
        let sufficient = reduced.filter { $0.width >= minimumSize.width && $0.height >= minimumSize.height }
        return sufficient.min { $0.width < $1.width } ?? main
    }
}

/// The byte order and the size of offsets in a TIFF; those of a BigTIFF have eight bytes.
struct TIFFStructure {
    /// A directory's entries by their tags.
    struct Directory {
        let offset: Int
        var entries: [Int: Entry] = [:]
        /// The offset of the next directory; 0 if this one is the last.
        var next = 0
    }

    /// An entry of a directory.
    struct Entry {
        let type: Int
        let count: Int
        /// The offset of the values in the file.
        let offset: Int
    }

    private static let maxEntries = 4096
    /// The bytes per value of each type that has one; the last ones are those of BigTIFF.
    private static let sizes = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8,
    ]

    private let isBigEndian: Bool
    private let isBig: Bool

    init(_ window: inout ByteWindow) throws(ImagingError) {
        isBigEndian = try window.uint8(at: 0) == 0x4D
        isBig = try window.bytes(at: 2, count: 2).contains(43)
    }

    func firstDirectory(_ window: inout ByteWindow) throws(ImagingError) -> Int {
        try number(at: isBig ? 8 : 4, isBig ? 8 : 4, &window)
    }

    func directory(at offset: Int, _ window: inout ByteWindow) throws(ImagingError) -> Directory {
        let (countBytes, entryBytes) = isBig ? (8, 20) : (2, 12)
        let count = try number(at: offset, countBytes, &window)
        guard count <= Self.maxEntries else { throw ImagingError(.badChunk, "a directory of \(count) entries") }
        var directory = Directory(offset: offset)
        let end = offset + countBytes + count * entryBytes
        for start in stride(from: offset + countBytes, to: end, by: entryBytes) {
            let tag = try number(at: start, 2, &window)
            let type = try number(at: start + 2, 2, &window)
            guard let size = Self.sizes[type] else { continue }
            let values = try number(at: start + 4, isBig ? 8 : 4, &window)
            let place = start + (isBig ? 12 : 8)
            // More values than the file has bytes are found to be missing when they are read.
            let isInline = values <= (isBig ? 8 : 4) / size
            let first = isInline ? place : try number(at: place, isBig ? 8 : 4, &window)
            if directory.entries[tag] == nil {
                directory.entries[tag] = Entry(type: type, count: values, offset: first)
            }
        }
        directory.next = try number(at: end, isBig ? 8 : 4, &window)
        return directory
    }

    /// Reads the first values of an entry of whole numbers.
    func numbers(_ entry: Entry, limit: Int, _ window: inout ByteWindow) throws(ImagingError) -> [Int] {
        guard let size = Self.sizes[entry.type], ![2, 5, 10, 11, 12].contains(entry.type) else { return [] }
        var numbers: [Int] = []
        for index in 0..<min(entry.count, limit) {
            numbers.append(try number(at: entry.offset + index * size, size, &window))
        }
        return numbers
    }

    /// Returns the range of an entry's bytes; `nil` if it is not in the file.
    func range(_ entry: Entry?, _ window: ByteWindow) -> Range<Int>? {
        guard let entry, let size = Self.sizes[entry.type], entry.count > 0, entry.offset <= window.count,
            entry.count <= (window.count - entry.offset) / size
        else { return nil }
        return entry.offset..<entry.offset + entry.count * size
    }

    private func number(at offset: Int, _ count: Int, _ window: inout ByteWindow) throws(ImagingError) -> Int {
        let bytes = try window.bytes(at: offset, count: count)
        guard count == 8 else { return Int(bytes.number(bigEndian: isBigEndian)) }
        let halves = [
            Int(bytes.prefix(4).number(bigEndian: isBigEndian)), Int(bytes.suffix(4).number(bigEndian: isBigEndian)),
        ]
        let (high, low) = isBigEndian ? (halves[0], halves[1]) : (halves[1], halves[0])
        guard high < 1 << 24 else { throw ImagingError(.truncated, "\(window.count) bytes") }
        return high << 32 | low
    }
}

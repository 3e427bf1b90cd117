// SPDX-License-Identifier: MIT

/// A look into an EXIF block, which is a TIFF structure: directories of entries, each with a tag and a value.
///
/// Every place that the block names is held against the block before it is looked at.
struct EXIFReader {
    /// Why a block is not believed.
    struct Broken: Error {
        let reason: String
    }

    /// What a directory says under one tag.
    struct Entry: Hashable {
        let tag: Int
        let type: Int
        /// How many values there are.
        let count: Int
        /// The values, in the block's byte order.
        let value: [UInt8]
    }

    let isBigEndian: Bool
    private let block: [UInt8]

    init(_ block: [UInt8]) throws(Broken) {
        switch Array(block.prefix(4)) {
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: throw Broken(reason: "no TIFF header")
        }
        self.block = block
    }

    /// Where the first directory stands.
    var first: Int { get throws(Broken) { try number(at: 4, 4) } }

    /// The places of a directory's entries, as many as it claims to have.
    func entries(at directory: Int) throws(Broken) -> StrideTo<Int> {
        let start = directory + 2
        return stride(from: start, to: start + (try number(at: directory, 2)) * Self.entryBytes, by: Self.entryBytes)
    }

    private static let entryBytes = 12

    /// The tag of the entry at a place.
    func tag(at place: Int) throws(Broken) -> Int { try number(at: place, 2) }

    /// The entry at a place; `nil` if its type is none that EXIF knows.
    func entry(at place: Int) throws(Broken) -> Entry? {
        let type = try number(at: place + 2, 2)
        let count = try number(at: place + 4, 4)
        guard let size = Self.sizes[type] else { return nil }
        // A count of 32 bits times 8 is far from what 64 bits hold.
        let start = count * size <= 4 ? place + 8 : try number(at: place + 8, 4)
        return Entry(
            tag: try tag(at: place), type: type, count: count, value: Array(try bytes(at: start, count * size)))
    }

    /// The bytes of one value of each type: byte, text, short, long, rational, then those with signs, and floats.
    private static let sizes = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4,
    ]

    /// A number in the block's byte order.
    func number(at offset: Int, _ count: Int) throws(Broken) -> Int {
        Int(try bytes(at: offset, count).number(bigEndian: isBigEndian))
    }

    private func bytes(at offset: Int, _ count: Int) throws(Broken) -> ArraySlice<UInt8> {
        guard offset >= 0, offset <= block.count, count <= block.count - offset else {
            throw Broken(reason: "a place outside the block")
        }
        return block[offset..<offset + count]
    }
}

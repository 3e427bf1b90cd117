// SPDX-License-Identifier: MIT

/// The index of a JPEG file with several pictures (MPF, CIPA DC-007): their sizes, and their distances from the index.
struct JPEGPictureIndex {
    static let name = Array("MPF\0".utf8)

    private static let entriesTag = 0xB002
    private static let entrySize = 16

    /// The content of the segment.
    private(set) var content: [UInt8]
    private let isBigEndian: Bool
    /// The places of the entries in the content.
    private var entries: [Int] = []

    /// The place of the header, from which distances are counted.
    private static var header: Int { name.count }

    /// Reads the content of a segment; `nil` if it is malformed, or lists no other picture.
    init?(_ content: [UInt8]) {
        self.content = content
        let order = content.dropFirst(Self.header).prefix(4)
        isBigEndian = order.elementsEqual(Array("MM\0*".utf8))
        guard isBigEndian || order.elementsEqual(Array("II*\0".utf8)), let start = number(at: Self.header + 4, 4) else {
            return nil
        }
        let directory = Self.header + start
        for field in 0..<(number(at: directory, 2) ?? 0) {
            let place = directory + 2 + 12 * field
            guard number(at: place, 2) == Self.entriesTag, let size = number(at: place + 4, 4),
                let first = number(at: place + 8, 4), Self.header + first + size <= content.count
            else { continue }
            entries = Array(stride(from: Self.header + first, to: Self.header + first + size, by: Self.entrySize))
            guard size.isMultiple(of: Self.entrySize) else { return nil }
        }
        guard entries.count > 1 else { return nil }
    }

    /// Whether every entry leads to a JPEG in the file whose segment has its content at `start`.
    func isValid(at start: Int, in file: [UInt8]) -> Bool {
        entries.allSatisfy { entry in
            guard let size = number(at: entry + 4, 4), let distance = number(at: entry + 8, 4) else { return false }
            let place = distance == 0 ? 0 : start + Self.header + distance
            return place + size <= file.count && file[place...].starts(with: [0xFF, 0xD8])
        }
    }

    /// Corrects the entries after the header has moved, and with it the end of the first picture; false if a number is
    /// then too large.
    mutating func move(header: Int, end: Int) -> Bool {
        for entry in entries {
            // The first picture has no distance; its size includes the changed segments.
            let isFirst = number(at: entry + 8, 4) == 0
            let place = entry + (isFirst ? 4 : 8)
            let value = (number(at: place, 4) ?? 0) + (isFirst ? end : end - header)
            guard let value = UInt32(exactly: value) else { return false }
            for index in 0..<4 {
                let shift = 8 * (isBigEndian ? 3 - index : index)
                content[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(shift))
            }
        }
        return true
    }

    private func number(at place: Int, _ count: Int) -> Int? {
        guard place + count <= content.count else { return nil }
        return Int(content[place..<place + count].number(bigEndian: isBigEndian))
    }
}

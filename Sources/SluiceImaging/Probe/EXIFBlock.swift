// SPDX-License-Identifier: MIT

/// The one fact that is read from EXIF, and written into it: the orientation.
///
/// Everything else, GPS above all, stays out.
enum EXIFBlock {
    /// More than any camera writes.
    static let mostBytes = 1 << 20

    /// Why a block is not believed.
    struct Broken: Error {
        let reason: String
    }

    /// Finds the orientation in a TIFF structure; `nil` if it says none.
    static func orientation(in block: [UInt8]) throws(Broken) -> Int? {
        let isBigEndian: Bool
        switch Array(block.prefix(4)) {
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: throw Broken(reason: "no TIFF header")
        }
        func number(at offset: Int, _ count: Int) throws(Broken) -> Int {
            guard offset >= 0, offset <= block.count - count else { throw Broken(reason: "a place outside the block") }
            return Int(block[offset..<offset + count].number(bigEndian: isBigEndian))
        }
        let directory = try number(at: 4, 4)
        for entry in 0..<(try number(at: directory, 2)) {
            let place = directory + 2 + entry * 12
            guard try number(at: place, 2) == 0x0112 else { continue }
            guard try number(at: place + 2, 2) == 3 else { throw Broken(reason: "an orientation that is no number") }
            let value = try number(at: place + 8, 2)
            guard (1...8).contains(value) else { throw Broken(reason: "orientation \(value)") }
            return value
        }
        return nil
    }

    /// A block that says the orientation and nothing else.
    static func saying(orientation: Int) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
        return header + [0, 1] + entry + [0, 0, 0, 0]
    }
}

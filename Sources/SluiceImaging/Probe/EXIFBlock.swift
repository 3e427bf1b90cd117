// SPDX-License-Identifier: MIT

/// The one fact that is always read from EXIF: the orientation.
enum EXIFBlock {
    /// More than any camera writes.
    static let mostBytes = 1 << 20

    /// Finds the orientation in a TIFF structure; `nil` if it says none.
    static func orientation(in block: [UInt8]) throws(EXIFReader.Broken) -> Int? {
        let reader = try EXIFReader(block)
        for place in try reader.entries(at: reader.first) where try reader.tag(at: place) == orientationTag {
            guard try reader.number(at: place + 2, 2) == 3 else {
                throw EXIFReader.Broken(reason: "an orientation that is no number")
            }
            let value = try reader.number(at: place + 8, 2)
            guard (1...8).contains(value) else { throw EXIFReader.Broken(reason: "orientation \(value)") }
            return value
        }
        return nil
    }

    static let orientationTag = 0x0112

    /// A block that says nothing.
    static let empty: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]

    /// A block that says the orientation and nothing else.
    static func saying(orientation: Int) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
        return header + [0, 1] + entry + [0, 0, 0, 0]
    }
}

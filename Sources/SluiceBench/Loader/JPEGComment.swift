// SPDX-License-Identifier: MIT

/// Fills a JPEG up with comments, which every decoder passes over.
enum JPEGComment {
    /// The fewest bytes that a comment with a number takes.
    static let least = 12
    private static let most = 65_535

    /// The file with comments behind its first marker, so that it has exactly so many bytes and its number in it.
    static func filling(_ file: [UInt8], to bytes: Int, with number: Int) -> [UInt8] {
        var filled = Array(file.prefix(2))
        filled.reserveCapacity(bytes)
        var room = bytes - file.count
        while room > 0 {
            // What is left over must be enough for another one.
            var size = min(room, most)
            if room > size, room - size < least { size -= least }
            filled += [0xFF, 0xFE, UInt8((size - 2) >> 8), UInt8((size - 2) & 0xFF)]
            filled += (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            filled += [UInt8](repeating: UInt8(ascii: "."), count: size - least)
            room -= size
        }
        return filled + file.dropFirst(2)
    }
}

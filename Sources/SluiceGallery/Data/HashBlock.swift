// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The perceptual hashes of one block of the index: 16 hexadecimal digits per entry, or hyphens for one without a hash.
///
/// The page loads them when the user asks for similar photos.
struct HashBlock {
    private static let digits = 16
    let number: Int
    private var text: [UInt8] = []

    init(number: Int) { self.number = number }

    mutating func add(_ tile: Tile) {
        let hash = tile.receipt?.phash ?? ""
        let isValid = hash.utf8.count == Self.digits && UInt64(hash, radix: 16) != nil
        text += isValid ? Array(hash.utf8) : Array(repeating: UInt8(ascii: "-"), count: Self.digits)
    }

    var bytes: [UInt8] { Array("sluice.hashes(\(number),\"".utf8) + text + Array("\");\n".utf8) }
}

// SPDX-License-Identifier: MIT

/// Finds out, while a file of one format arrives, how many of its first bytes suffice for a smaller image.
protocol PrefixFinding: Sendable {
    /// Returns the minimum size to decode an image to.
    typealias MinimumSize = @Sendable (ImageHeader) throws(ImagingError) -> (width: Int, height: Int)

    /// The bytes that complete the prefix to a file.
    var ending: [UInt8] { get }
    /// The number of bytes that suffice, once they have arrived.
    var count: Int? { get }
    /// Reads the next bytes of the file, which may have another format.
    mutating func receive(_ bytes: Span<UInt8>)
}

// SPDX-License-Identifier: MIT

/// The bytes of a file that a smaller image needs.
struct PrefixGoal: Sendable {
    /// Returns the minimum size to decode an image to.
    let minimumSize: @Sendable (ImageHeader) throws(ImagingError) -> (width: Int, height: Int)
    /// Whether the image's own preview may replace it.
    let acceptsPreview: Bool
}

/// Finds out, while a file of one format arrives, how many of its first bytes suffice for a smaller image.
protocol PrefixFinding: Sendable {
    /// The bytes that complete the prefix to a file.
    var ending: [UInt8] { get }
    /// The number of the file's first bytes to complete, once enough bytes have arrived.
    var count: Int? { get }
    /// The image, if the completed file has only its preview.
    var previewed: ImageInfo? { get }
    /// Reads the next bytes of the file, which may have another format.
    mutating func receive(_ bytes: Span<UInt8>)
}

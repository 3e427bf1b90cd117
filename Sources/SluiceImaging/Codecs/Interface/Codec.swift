// SPDX-License-Identifier: MIT

/// Everything that Sluice knows about one image format.
///
/// A format without a decoder is only recognised, so that messages can name it. A format without an encoder can be read
/// but not written.
struct Codec: Sendable {
    let format: ImageFormat
    /// The format's name in prose, for example `WebP`.
    let title: String
    /// The media type in HTTP, for example `image/webp`.
    let mediaType: String
    /// The usual file name extensions in lower case, without the dot; Sluice writes the first one.
    let fileExtensions: [String]
    /// The signatures, each of which identifies the format.
    let signatures: [ImageSignature]
    /// Reads headers and pixels; `nil` if Sluice cannot read the format.
    var decoder: (any ImageDecoding)?
    /// Writes files; `nil` if Sluice cannot write the format.
    var encoder: (any ImageEncoding)?
    /// Loads the library at run time; `nil` if Sluice is linked with it.
    var loader: CodecLoader?
    /// Whether the library has a poor security record.
    ///
    /// Sluice works without such a library. It loads it only in sandboxed processes that need it, and refuses pictures
    /// of the format unless the options allow it.
    var isRestricted = false
    /// The C library that Sluice is linked with for this format; `nil` if there is none.
    var linkedLibrary: CodecVersion?
    /// Creates a file with the self-test's picture, for formats that can be read but not written.
    var makeTestFile: (@Sendable () -> [UInt8]?)?

    /// The self-test's picture.
    static let testPicture = Raster(
        width: 16, height: 16, layout: .rgb,
        bytes: (0..<768).map { (sample: Int) -> UInt8 in UInt8(sample / 48 * 8 + sample % 3 * 40) })
}

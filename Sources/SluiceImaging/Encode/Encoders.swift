// SPDX-License-Identifier: MIT

/// The formats that are written.
///
/// Another one is a new file, and one line here.
enum Encoders {
    static let all: [any PictureEncoding] = [
        JPEGEncoder(),
        PNGEncoder(),
        WebPEncoder(),
    ]

    static func encoder(for format: ImageFormat) -> (any PictureEncoding)? {
        all.first { $0.format == format }
    }
}

/// Something that writes pictures of one format.
protocol PictureEncoding: Sendable {
    /// The format that it writes.
    var format: ImageFormat { get }
    /// Whether the format can be transparent; a picture that is comes flattened to one that cannot.
    var keepsAlpha: Bool { get }
    /// The most pixels that a side may have.
    var mostPixelsASide: Int { get }
    /// Writes a picture, with the settings' metadata and no other.
    func encode(_ raster: Raster, _ settings: PictureEncoder) throws(ImagingError) -> [UInt8]
}

/// Copies what a C encoder wrote, if it wrote, and frees it.
func takeOutput(
    of format: ImageFormat, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int,
    release: (UnsafeMutablePointer<UInt8>) -> Void
) throws(ImagingError) -> [UInt8] {
    guard let bytes = unsafe bytes else { throw ImagingError(.internal, "\(format.name) encoder failed") }
    defer { unsafe release(bytes) }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
}

// SPDX-License-Identifier: MIT

/// The registered encoders; a new format needs an encoder and one line here.
enum Encoders {
    static let all: [any ImageEncoding] = [
        JPEGEncoder(),
        PNGEncoder(),
        WebPEncoder(),
    ]

    static func encoder(for format: ImageFormat) -> (any ImageEncoding)? {
        all.first { $0.format == format }
    }
}

/// Writes images of one format.
protocol ImageEncoding: Sendable {
    /// The format that this encoder writes.
    var format: ImageFormat { get }
    /// Whether the format supports transparency; without it, images are flattened before encoding.
    var keepsAlpha: Bool { get }
    /// The maximum width and height in pixels.
    var maxSide: Int { get }
    /// Encodes an image with exactly the metadata in the settings.
    func encode(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8]
}

/// Copies the output of a C encoder and frees it; throws if there is none.
func takeOutput(
    of format: ImageFormat, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int,
    release: (UnsafeMutablePointer<UInt8>) -> Void
) throws(ImagingError) -> [UInt8] {
    guard let bytes = unsafe bytes else { throw ImagingError(.internal, "\(format.name) encoder failed") }
    defer { unsafe release(bytes) }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
}

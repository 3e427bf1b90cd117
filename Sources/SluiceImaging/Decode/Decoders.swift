// SPDX-License-Identifier: MIT

/// The formats that are decoded.
///
/// Another one is a new file, and one line here.
enum Decoders {
    static let all: [any PictureDecoding] = [
        JPEGDecoder(),
        PNGDecoder(),
        WebPDecoder(),
    ]

    static func decoder(for format: ImageFormat) -> (any PictureDecoding)? {
        all.first { $0.format == format }
    }
}

// SPDX-License-Identifier: MIT

/// What stands for a picture where its thumbnails are not: a sketch to show, and a hash to find copies by.
struct Placeholder {
    /// The picture's ThumbHash, in Base64.
    let sketch: String
    /// The picture's perceptual hash, in 16 hexadecimal digits.
    let phash: String

    /// Makes both of a sRGB picture of any size.
    init(of picture: Raster) {
        let small = picture.resized(within: ThumbHash.mostPixelsASide)
        sketch = Self.base64(ThumbHash(of: small).bytes)
        phash = PerceptualHash(of: small).text
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}

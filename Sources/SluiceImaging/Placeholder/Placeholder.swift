// SPDX-License-Identifier: MIT

/// What stands for a picture where its thumbnails are not: a sketch to show, and a hash to find copies by.
struct Placeholder {
    /// The picture's ThumbHash, in Base64.
    let sketch: String
    /// The picture's perceptual hash, in 16 hexadecimal digits.
    let phash: String

    /// How many pixels a side there is more in than either hash holds.
    private static let side = 48

    /// Makes both of a sRGB picture of any size.
    init(of picture: Raster) {
        let small = picture.resized(within: Self.side, by: .area)
        sketch = ThumbHash(of: small).text
        phash = PerceptualHash(of: small).text
    }
}

// SPDX-License-Identifier: MIT

/// A picture's pixels: four bytes each (red, green, blue, straight alpha), rows from the top.
public struct Picture: Sendable, Hashable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The pixels, without gaps between rows.
    public let rgba: [UInt8]

    /// Makes a picture; `rgba` must hold exactly four bytes for each pixel.
    public init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(width > 0 && height > 0 && rgba.count == width * height * 4, "a picture has all of its pixels")
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}

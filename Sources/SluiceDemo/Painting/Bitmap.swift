// SPDX-License-Identifier: MIT

package import SluiceModel

/// A picture's pixels: four bytes each (red, green, blue, straight alpha), top row first.
package struct Bitmap: Sendable, Hashable {
    package let width: Int
    package let height: Int
    /// The pixels, without padding between rows.
    package let rgba: [UInt8]

    /// Creates a bitmap; `rgba` must hold exactly four bytes per pixel.
    package init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(width > 0 && height > 0 && rgba.count == width * height * 4, "rgba must hold four bytes per pixel")
        (self.width, self.height, self.rgba) = (width, height, rgba)
    }
}

extension Bitmap {
    /// Returns the pixels as a camera stores them, so that applying the EXIF `orientation` (1 to 8) gives this picture.
    ///
    /// Orientations 5 to 8 swap width and height.
    package func stored(asOrientation orientation: Int) -> Bitmap {
        guard (2...8).contains(orientation) else { return self }
        let swaps = orientation >= 5
        let storedWidth = swaps ? height : width
        let storedHeight = swaps ? width : height
        // The offset of the first pixel to read, and the distances to the next one in a stored row or column.
        let mirrorsX = [2, 3, 6, 7].contains(orientation)
        let mirrorsY = [3, 4, 7, 8].contains(orientation)
        let start = (mirrorsX ? width - 1 : 0) + (mirrorsY ? height - 1 : 0) * width
        let alongX = mirrorsX ? -1 : 1
        let alongY = (mirrorsY ? -1 : 1) * width
        let (columnStep, rowStep) = swaps ? (alongY, alongX) : (alongX, alongY)
        let turned = unsafe [UInt8](unsafeUninitializedCapacity: rgba.count) { target, count in
            unsafe rgba.withUnsafeBytes { source in
                var to = 0
                for row in 0..<storedHeight {
                    var from = start + row * rowStep
                    for _ in 0..<storedWidth {
                        let pixel = unsafe source.load(fromByteOffset: from * 4, as: UInt32.self)
                        unsafe UnsafeMutableRawBufferPointer(target).storeBytes(
                            of: pixel, toByteOffset: to, as: UInt32.self)
                        from += columnStep
                        to += 4
                    }
                }
            }
            count = rgba.count
        }
        return Bitmap(width: storedWidth, height: storedHeight, rgba: turned)
    }
}

/// How to encode a picture.
package struct PictureFormat: Sendable, Hashable {
    package var kind: StoredFormat
    /// Whether a JPEG is progressive.
    package var isProgressive: Bool
    /// Whether to write the alpha channel; if not, all pixels are opaque.
    package var keepsAlpha: Bool
    /// The EXIF orientation to record in a JPEG, 1 to 8; the pixels are already turned, and 1 needs no EXIF.
    package var exifOrientation: Int
    /// The encoder's quality, 1 to 100, if the format has one.
    package var quality: Int

    package init(
        _ kind: StoredFormat, isProgressive: Bool = false, keepsAlpha: Bool = false, exifOrientation: Int = 1,
        quality: Int = 85
    ) {
        (self.kind, self.isProgressive, self.keepsAlpha) = (kind, isProgressive, keepsAlpha)
        (self.exifOrientation, self.quality) = (exifOrientation, quality)
    }
}

/// Encodes a bitmap as a file; injected because the codecs are in another module.
///
/// It is called concurrently on the server's threads and must return the same bytes for the same bitmap and format.
package typealias BitmapEncoder = @Sendable (Bitmap, PictureFormat) throws -> [UInt8]

/// An RGB colour with channels from 0 to 255.
struct Color: Sendable, Hashable {
    var red: Float
    var green: Float
    var blue: Float

    init(red: Float, green: Float, blue: Float) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Creates a colour from `0xRRGGBB`.
    init(_ hex: UInt32) {
        self.init(red: Float(hex >> 16 & 0xFF), green: Float(hex >> 8 & 0xFF), blue: Float(hex & 0xFF))
    }

    /// Mixes two colours: 0 gives this colour, 1 the other.
    func mixed(_ other: Color, _ amount: Float) -> Color {
        Color(
            red: red + (other.red - red) * amount, green: green + (other.green - green) * amount,
            blue: blue + (other.blue - blue) * amount)
    }

    /// The opaque pixel, in memory order red, green, blue, alpha.
    var packed: UInt32 {
        UInt32(Self.clamped(red)) | UInt32(Self.clamped(green)) << 8 | UInt32(Self.clamped(blue)) << 16 | 0xFF00_0000
    }

    /// The colour as `#rrggbb`.
    var hex: String {
        let value = Self.clamped(red) << 16 | Self.clamped(green) << 8 | Self.clamped(blue)
        return "#" + String(value, radix: 16).zeroPadded(to: 6)
    }

    static let white = Color(0xFFFFFF)
    static let black = Color(0x000000)

    /// The colour with all channels limited to 0 to 255.
    var clamped: Color {
        Color(red: max(0, min(255, red)), green: max(0, min(255, green)), blue: max(0, min(255, blue)))
    }

    private static func clamped(_ channel: Float) -> Int { Int(max(0, min(255, channel + 0.5))) }
}

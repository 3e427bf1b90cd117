// SPDX-License-Identifier: MIT

internal import SluiceModel

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

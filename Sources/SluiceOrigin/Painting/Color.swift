// SPDX-License-Identifier: MIT

/// A colour that can be mixed.
struct Color: Sendable, Hashable {
    var red: Float
    var green: Float
    var blue: Float

    init(red: Float, green: Float, blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A colour as designers write it: `0xRRGGBB`.
    init(_ hex: UInt32) {
        self.init(red: Float(hex >> 16 & 0xFF), green: Float(hex >> 8 & 0xFF), blue: Float(hex & 0xFF))
    }

    /// This colour at 0, the other at 1.
    func mixed(_ other: Color, _ amount: Float) -> Color {
        Color(
            red: red + (other.red - red) * amount, green: green + (other.green - green) * amount,
            blue: blue + (other.blue - blue) * amount)
    }

    /// The pixel in memory order: red, green, blue, alpha.
    var packed: UInt32 {
        UInt32(Self.clamped(red)) | UInt32(Self.clamped(green)) << 8 | UInt32(Self.clamped(blue)) << 16 | 0xFF00_0000
    }

    /// `#rrggbb`.
    var hex: String {
        let value = Self.clamped(red) << 16 | Self.clamped(green) << 8 | Self.clamped(blue)
        let digits = String(value, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    static let white = Color(0xFFFFFF)
    static let black = Color(0x000000)

    /// The same with no channel below 0 or above 255.
    var clamped: Color {
        Color(red: max(0, min(255, red)), green: max(0, min(255, green)), blue: max(0, min(255, blue)))
    }

    private static func clamped(_ channel: Float) -> Int { Int(max(0, min(255, channel + 0.5))) }
}

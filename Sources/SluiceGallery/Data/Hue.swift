// SPDX-License-Identifier: MIT

/// The name of a colour, for the colour filter.
enum Hue: String, CaseIterable {
    case red, orange, yellow, green, teal, blue, violet, pink, black, white, neutral

    /// The hue of a valid colour in the form `#rrggbb`.
    init(_ color: String) {
        let value = Int(color.dropFirst(), radix: 16) ?? 0
        let (red, green, blue) = (value >> 16 & 255, value >> 8 & 255, value & 255)
        let high = max(red, green, blue)
        let spread = high - min(red, green, blue)
        if high < 40 {
            self = .black
        } else if spread * 100 < high * 14 {
            self = high > 215 ? .white : .neutral
        } else {
            self = Self.hue(at: Self.degrees(red, green, blue, high: high, spread: spread))
        }
    }

    var letter: UInt8 {
        switch self {
        case .black: UInt8(ascii: "k")
        case .pink: UInt8(ascii: "m")
        default: rawValue.utf8.first ?? UInt8(ascii: "-")
        }
    }

    private static func degrees(_ red: Int, _ green: Int, _ blue: Int, high: Int, spread: Int) -> Int {
        let degrees =
            high == red
            ? 60 * (green - blue) / spread
            : high == green ? 120 + 60 * (blue - red) / spread : 240 + 60 * (red - green) / spread
        return (degrees + 360) % 360
    }

    private static func hue(at degrees: Int) -> Hue {
        switch degrees {
        case 15..<42: .orange
        case 42..<68: .yellow
        case 68..<160: .green
        case 160..<195: .teal
        case 195..<255: .blue
        case 255..<290: .violet
        case 290..<345: .pink
        default: .red
        }
    }
}

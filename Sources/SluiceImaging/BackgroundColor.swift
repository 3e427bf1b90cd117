// SPDX-License-Identifier: MIT

/// The colour of padding, and of the area behind transparent pixels.
public struct BackgroundColor: Sendable, Hashable, CustomStringConvertible {
    /// The red component, 0 to 255.
    public var red: UInt8
    /// The green component, 0 to 255.
    public var green: UInt8
    /// The blue component, 0 to 255.
    public var blue: UInt8
    /// The opacity, 0 to 255; 255 is opaque.
    public var alpha: UInt8

    /// Opaque white.
    public static let white = BackgroundColor(red: 255, green: 255, blue: 255)
    /// Opaque black.
    public static let black = BackgroundColor(red: 0, green: 0, blue: 0)
    /// Fully transparent; formats without transparency show it as white.
    public static let transparent = BackgroundColor(red: 255, green: 255, blue: 255, alpha: 0)

    /// Creates a colour from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Parses `white`, `black`, `transparent`, `#rgb`, `#rrggbb` or `#rrggbbaa`; the `#` is optional.
    public init?(_ text: String) {
        switch text {
        case "white": self = .white
        case "black": self = .black
        case "transparent": self = .transparent
        default:
            var digits: [UInt8] = []
            for character in text.hasPrefix("#") ? text.dropFirst() : text[...] {
                guard character.isASCII, let digit = character.hexDigitValue else { return nil }
                digits.append(UInt8(digit))
            }
            if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
            guard digits.count == 6 || digits.count == 8 else { return nil }
            let parts = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count == 4 ? parts[3] : 255)
        }
    }

    /// The colour as `#rrggbb`, or as `#rrggbbaa` if it is not opaque.
    public var description: String {
        let digits = Array("0123456789abcdef")
        let parts: [UInt8] = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        var text = "#"
        for part in parts { text += String([digits[Int(part >> 4)], digits[Int(part & 15)]]) }
        return text
    }

    /// The opaque colour that results from drawing this one on white.
    var overWhite: BackgroundColor {
        func mixed(_ part: UInt8) -> UInt8 {
            let opacity = Int(alpha)
            return UInt8((Int(part) * opacity + 255 * (255 - opacity) + 127) / 255)
        }
        return BackgroundColor(red: mixed(red), green: mixed(green), blue: mixed(blue))
    }
}

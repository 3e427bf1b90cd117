// SPDX-License-Identifier: MIT

/// What lies around and behind a picture.
public struct BackgroundColor: Sendable, Hashable, CustomStringConvertible {
    /// How much red there is.
    public var red: UInt8
    /// How much green there is.
    public var green: UInt8
    /// How much blue there is.
    public var blue: UInt8
    /// How opaque it is; 255 is wholly.
    public var alpha: UInt8

    /// Full white.
    public static let white = BackgroundColor(red: 255, green: 255, blue: 255)
    /// Full black.
    public static let black = BackgroundColor(red: 0, green: 0, blue: 0)
    /// Nothing; formats that cannot be transparent take it as white.
    public static let transparent = BackgroundColor(red: 255, green: 255, blue: 255, alpha: 0)

    /// Makes a colour of its parts.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Reads `white`, `black`, `transparent`, `#rgb`, `#rrggbb` or `#rrggbbaa`, the last three also without `#`.
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

    /// The colour as `#rrggbb`, or `#rrggbbaa` unless it is opaque.
    public var description: String {
        let digits = Array("0123456789abcdef")
        let parts: [UInt8] = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        var text = "#"
        for part in parts { text += String([digits[Int(part >> 4)], digits[Int(part & 15)]]) }
        return text
    }

    /// What is seen of it where nothing can be transparent.
    var overWhite: BackgroundColor {
        func mixed(_ part: UInt8) -> UInt8 {
            let opacity = Int(alpha)
            return UInt8((Int(part) * opacity + 255 * (255 - opacity) + 127) / 255)
        }
        return BackgroundColor(red: mixed(red), green: mixed(green), blue: mixed(blue))
    }
}

// SPDX-License-Identifier: MIT

/// Colours told by numbers rather than by a profile: what is red, green, blue and white, and how samples become light.
struct Colorimetry: Sendable, Hashable {
    /// A colour's place in CIE's chart.
    struct Place: Sendable, Hashable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// What the full samples of each channel, and of all, look like.
    struct Primaries: Sendable, Hashable {
        var white = Place(0.3127, 0.3290)
        var red: Place
        var green: Place
        var blue: Place

        /// sRGB's, and high-definition television's.
        static let sRGB = Primaries(red: Place(0.64, 0.33), green: Place(0.30, 0.60), blue: Place(0.15, 0.06))
        /// Those of Display P3.
        static let displayP3 = Primaries(
            red: Place(0.680, 0.320), green: Place(0.265, 0.690), blue: Place(0.150, 0.060))
        /// Those of BT.2020.
        static let wide = Primaries(red: Place(0.708, 0.292), green: Place(0.170, 0.797), blue: Place(0.131, 0.046))
    }

    /// How much light a sample stands for.
    enum Curve: Sendable, Hashable {
        /// The sample to the power of this.
        case gamma(Double)
        case sRGB
        /// The inverse of what television cameras do (BT.709).
        case video
    }

    var primaries = Primaries.sRGB
    var curve = Curve.sRGB

    /// Whether these are the colours that everyone takes a picture to have.
    ///
    /// A gamma of 1/2.2 with sRGB's primaries, or none, counts as sRGB: that is what writers put beside sRGB pixels for
    /// readers that know only gamma, and nearly all files that say so hold such pixels.
    var isSRGB: Bool {
        primaries.isClose(to: .sRGB) && (curve == .sRGB || curve == .gamma(Self.nearlySRGB))
    }

    /// The exponent whose inverse, 0.45455, PNG gives as sRGB's.
    static let nearlySRGB = 100_000 / 45_455.0
}

extension Colorimetry.Primaries {
    fileprivate func isClose(to other: Self) -> Bool {
        zip([white, red, green, blue], [other.white, other.red, other.green, other.blue]).allSatisfy {
            abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002
        }
    }
}

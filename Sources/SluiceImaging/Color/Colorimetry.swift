// SPDX-License-Identifier: MIT

/// A colour space defined by numbers instead of a profile: primaries, white point and transfer curve.
struct Colorimetry: Sendable, Hashable {
    /// A colour's coordinates in the CIE 1931 xy diagram.
    struct Chromaticity: Sendable, Hashable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The chromaticities of white and of each channel's full intensity.
    struct Primaries: Sendable, Hashable {
        var white = Chromaticity(0.3127, 0.3290)
        var red: Chromaticity
        var green: Chromaticity
        var blue: Chromaticity

        /// The primaries of sRGB and of high-definition television (BT.709).
        static let sRGB = Primaries(
            red: Chromaticity(0.64, 0.33), green: Chromaticity(0.30, 0.60), blue: Chromaticity(0.15, 0.06))
        /// The primaries of Display P3.
        static let displayP3 = Primaries(
            red: Chromaticity(0.680, 0.320), green: Chromaticity(0.265, 0.690), blue: Chromaticity(0.150, 0.060))
        /// The primaries of BT.2020.
        static let bt2020 = Primaries(
            red: Chromaticity(0.708, 0.292), green: Chromaticity(0.170, 0.797), blue: Chromaticity(0.131, 0.046))
    }

    /// The transfer curve from samples to light.
    enum Curve: Sendable, Hashable {
        /// The sample to the power of this exponent.
        case gamma(Double)
        case sRGB
        /// The inverse of the camera curve of BT.709.
        case bt709
    }

    var primaries = Primaries.sRGB
    var curve = Curve.sRGB

    /// Whether the colour space is sRGB.
    ///
    /// A gamma of 1/2.2 with sRGB's primaries, or without primaries, counts as sRGB. Encoders write it beside sRGB
    /// pixels for readers that know only gamma, and nearly all files with this gamma hold sRGB pixels.
    var isSRGB: Bool {
        primaries.isClose(to: .sRGB) && (curve == .sRGB || curve == .gamma(Self.approximateSRGB))
    }

    /// The exponent whose inverse, 0.45455, the PNG specification gives for sRGB.
    static let approximateSRGB = 100_000 / 45_455.0
}

extension Colorimetry.Primaries {
    /// Interprets a code point of ITU-T H.273; `nil` for an unknown one.
    init?(code: Int) {
        let known: [Int: Self] = [1: .sRGB, 9: .bt2020, 12: .displayP3]
        guard let primaries = known[code] else { return nil }
        self = primaries
    }

    fileprivate func isClose(to other: Self) -> Bool {
        zip([white, red, green, blue], [other.white, other.red, other.green, other.blue]).allSatisfy {
            abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002
        }
    }
}

extension Colorimetry {
    /// Interprets code points of ITU-T H.273; `nil` for unknown ones, and for those of ``HighDynamicRange``.
    init?(primariesCode: Int, transferCode: Int) {
        let curves: [Int: Curve] = [
            1: .bt709, 4: .gamma(2.2), 5: .gamma(2.8), 6: .bt709, 8: .gamma(1), 13: .sRGB, 14: .bt709, 15: .bt709,
        ]
        guard let primaries = Primaries(code: primariesCode), let curve = curves[transferCode] else { return nil }
        self.init(primaries: primaries, curve: curve)
    }
}

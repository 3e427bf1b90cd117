// SPDX-License-Identifier: MIT

internal import CLCMS

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

extension Colorimetry {
    /// Creates an equivalent profile for grey or RGB samples; `nil` if the values are impossible.
    ///
    /// The same values always give the same bytes.
    func profile(isGrey: Bool) -> [UInt8]? {
        guard let curve = unsafe curve.toneCurve else { return nil }
        defer { unsafe cmsFreeToneCurve(curve) }
        return isGrey ? unsafe grey(curve) : unsafe rgb(curve)
    }

    private func rgb(_ curve: OpaquePointer) -> [UInt8]? {
        var white = cmsCIExyY(x: primaries.white.x, y: primaries.white.y, Y: 1)
        var triple = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: primaries.red.x, y: primaries.red.y, Y: 1),
            Green: cmsCIExyY(x: primaries.green.x, y: primaries.green.y, Y: 1),
            Blue: cmsCIExyY(x: primaries.blue.x, y: primaries.blue.y, Y: 1))
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
        return unsafe ColorProfile(owning: cmsCreateRGBProfile(&white, &triple, &curves))?.bytes
    }

    private func grey(_ curve: OpaquePointer) -> [UInt8]? {
        unsafe ColorProfile(owning: cmsCreateGrayProfile(cmsD50_xyY(), curve))?.bytes
    }
}

extension Colorimetry.Curve {
    /// The lcms2 curve, which the caller must free; `nil` if the gamma is out of range.
    fileprivate var toneCurve: OpaquePointer? {
        switch self {
        case .gamma(let gamma): return unsafe (0.1...10).contains(gamma) ? cmsBuildGamma(nil, gamma) : nil
        case .sRGB: return unsafe Self.parametric([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .bt709: return unsafe Self.parametric([1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081])
        }
    }

    /// Creates a power curve with a linear segment at the dark end.
    private static func parametric(_ parameters: [Double]) -> OpaquePointer? {
        unsafe cmsBuildParametricToneCurve(nil, 4, parameters)
    }
}

extension ColorProfile {
    /// The profile's bytes with a fixed creation time.
    fileprivate var bytes: [UInt8]? {
        var count: UInt32 = 0
        guard unsafe cmsSaveProfileToMem(handle, nil, &count) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard unsafe cmsSaveProfileToMem(handle, &bytes, &count) != 0, bytes.count > 36 else { return nil }
        bytes.replaceSubrange(24..<36, with: [7, 208, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return bytes
    }
}

extension Colorimetry.Primaries {
    /// The matrix from light of these primaries to CIE XYZ, row by row; white has the brightness 1.
    var matrixToXYZ: [Double] {
        let columns = [red, green, blue].map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let unscaled = (0..<3).flatMap { row in columns.map { $0[row] } }
        let whiteXYZ = [white.x / white.y, 1, (1 - white.x - white.y) / white.y]
        let amounts = Self.product(Self.inverse(unscaled), whiteXYZ)
        return unscaled.indices.map { unscaled[$0] * amounts[$0 % 3] }
    }

    /// The matrix from light of these primaries to light of others with the same white, row by row.
    func matrix(to other: Self) -> [Double] {
        let (here, back) = (matrixToXYZ, Self.inverse(other.matrixToXYZ))
        let columns = (0..<3).map { column in Self.product(back, [here[column], here[column + 3], here[column + 6]]) }
        return (0..<3).flatMap { row in columns.map { $0[row] } }
    }

    private static func product(_ matrix: [Double], _ vector: [Double]) -> [Double] {
        (0..<3).map { row in (0..<3).reduce(0) { $0 + matrix[row * 3 + $1] * vector[$1] } }
    }

    private static func inverse(_ m: [Double]) -> [Double] {
        /// The determinant of what remains without a row and a column, with its sign.
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (r1, r2) = ((row + 1) % 3 * 3, (row + 2) % 3 * 3)
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3)
            return m[r1 + c1] * m[r2 + c2] - m[r1 + c2] * m[r2 + c1]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[$1] * cofactor(0, $1) }
        return (0..<3).flatMap { row in (0..<3).map { cofactor($0, row) / determinant } }
    }
}

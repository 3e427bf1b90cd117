// SPDX-License-Identifier: MIT

internal import SluiceSystem

/// Compresses the light of high dynamic range into the standard range; 1 is diffuse white.
///
/// Light up to the knee stays the same. The rest is compressed by a rational function that is smooth at the knee and
/// takes the peak to 1. Photographs come closer to their standard renditions than with the curve of BT.2390, which
/// compresses only the brightest part (measured in Documentation/colour.md).
struct ToneCurve: Sendable {
    /// The light that stays the same at most; middle grey is 0.18.
    static let knee: Float = 0.2

    private let peak: Float
    /// How much the part above the knee is compressed.
    private let compression: Float

    init(peak: Double) {
        self.peak = Float(max(1, peak / HighDynamicRange.diffuseWhite))
        let range = (self.peak - Self.knee) / (1 - Self.knee)
        compression = (range - 1) / range
    }

    /// Returns the compressed light, which is at most 1.
    @inline(__always)
    func callAsFunction(_ light: Float) -> Float {
        guard light > Self.knee else { return light }
        let excess = (min(light, peak) - Self.knee) / (1 - Self.knee)
        return Self.knee + (1 - Self.knee) * excess / (1 + compression * excess)
    }
}

/// Tables of the transfer functions of high dynamic range and of sRGB.
enum LightTables {
    /// The largest index of a table whose index is light or a sample of 16 bits.
    static let last = 65535

    /// The light of each 16-bit sample of PQ; 1 is diffuse white.
    static let pq = (0...last).map { Float(pqLight(Double($0) / Double(last)) / HighDynamicRange.diffuseWhite) }
    /// The light before the camera of each 16-bit sample of HLG, from 0 to 1.
    static let hlg = (0...last).map { Float(hlgLight(Double($0) / Double(last))) }
    /// The factor from a camera's light to that of the reference display, for each brightness before the camera.
    static let hlgFactors = (0...last).map { index in
        let peak = HighDynamicRange.referencePeak / HighDynamicRange.diffuseWhite
        return Float(peak * pow(Double(index) / Double(last), hlgGamma - 1))
    }
    /// The nearest 8-bit sample of sRGB for light from 0 to 1.
    static let sRGB = (0...last).map { index in
        let light = Double(index) / Double(last)
        let sample = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((sample * 255).rounded())
    }

    /// The gamma of the reference display of 1000 cd/m², by BT.2100.
    private static let hlgGamma = 1.2

    /// Returns the light in cd/m² of a sample from 0 to 1, by SMPTE ST 2084.
    private static func pqLight(_ sample: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)
        let power = pow(sample, 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    /// Returns the light before the camera of a sample from 0 to 1, by BT.2100.
    private static func hlgLight(_ sample: Double) -> Double {
        let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73)
        return sample <= 0.5 ? sample * sample / 3 : (exp((sample - c) / a) + b) / 12
    }
}

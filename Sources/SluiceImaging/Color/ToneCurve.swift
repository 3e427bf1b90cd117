// SPDX-License-Identifier: MIT

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

    /// Creates the curve for a brightest light in cd/m².
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

// SPDX-License-Identifier: MIT

/// Converts samples of high dynamic range to 8-bit sRGB.
///
/// Samples become light, HLG as on the reference display, and light becomes that of sRGB's primaries. Negative light of
/// colours outside of that gamut is left out, as lcms2 does. ``ToneCurve`` then compresses the largest of the three
/// lights, and the others in proportion, which keeps the hue and makes every colour fit.
final class ToneMap: Sendable {
    private let isHLG: Bool
    private let curve: ToneCurve
    /// The matrix from the picture's primaries to sRGB's, row by row.
    private let matrix: [Float]
    /// The brightness of each of the picture's primaries.
    private let brightness: [Float]

    init(_ range: HighDynamicRange) {
        isHLG = range.transfer == .hlg
        curve = ToneCurve(peak: range.peak)
        brightness = range.primaries.matrixToXYZ[3..<6].map { Float($0) }
        matrix = range.primaries.matrix(to: .sRGB).map { Float($0) }
    }

    /// Converts a row of samples, whose alpha only loses precision.
    func convert<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ source: UnsafePointer<Sample>, _ layout: PixelLayout, pixels: Int, into target: UnsafeMutablePointer<UInt8>
    ) {
        let table = isHLG ? LightTables.hlg : LightTables.pq
        unsafe table.withUnsafeBufferPointer { light in
            unsafe LightTables.sRGB.withUnsafeBufferPointer { samples in
                let channels = layout.channels
                for pixel in 0..<pixels {
                    let (from, to) = unsafe (source + pixel * channels, target + pixel * channels)
                    if channels >= 3 {
                        let color = unsafe mapped(
                            light[Self.index(from[0])], light[Self.index(from[1])], light[Self.index(from[2])])
                        unsafe to[0] = samples[Self.index(color.0)]
                        unsafe to[1] = samples[Self.index(color.1)]
                        unsafe to[2] = samples[Self.index(color.2)]
                    } else {
                        unsafe to[0] = samples[Self.index(mapped(light[Self.index(from[0])]))]
                    }
                    if channels % 2 == 0 { unsafe to[channels - 1] = Self.byte(from[channels - 1]) }
                }
            }
        }
    }

    /// Returns the light of a grey pixel in the standard range.
    @inline(__always)
    private func mapped(_ light: Float) -> Float { curve(isHLG ? light * displayFactor(light) : light) }

    /// Returns the light of a colour in the standard range, of sRGB's primaries.
    @inline(__always)
    private func mapped(_ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float) {
        let (r, g, b) = (
            max(0, matrix[0] * red + matrix[1] * green + matrix[2] * blue),
            max(0, matrix[3] * red + matrix[4] * green + matrix[5] * blue),
            max(0, matrix[6] * red + matrix[7] * green + matrix[8] * blue)
        )
        let factor = isHLG ? displayFactor(brightness[0] * red + brightness[1] * green + brightness[2] * blue) : 1
        let most = max(r, g, b)
        let scale = most > 0 ? curve(most * factor) / most : 0
        return (r * scale, g * scale, b * scale)
    }

    /// The factor from a camera's light to a display's; it depends on the brightness of the pixel.
    @inline(__always)
    private func displayFactor(_ brightness: Float) -> Float { LightTables.hlgFactors[Self.index(brightness)] }

    /// The place of a sample in a table.
    @inline(__always)
    private static func index<Sample: FixedWidthInteger>(_ sample: Sample) -> Int {
        Sample.bitWidth == 8 ? Int(sample) * 257 : Int(sample)
    }

    /// Returns the index of a light level in a table; NaN counts as black.
    @inline(__always)
    private static func index(_ light: Float) -> Int {
        light > 0 ? Int(min(light, 1) * Float(LightTables.last) + 0.5) : 0
    }

    @inline(__always)
    private static func byte<Sample: FixedWidthInteger>(_ sample: Sample) -> UInt8 {
        Sample.bitWidth == 8 ? UInt8(truncatingIfNeeded: sample) : UInt8((UInt32(sample) * 255 + 32767) / 65535)
    }
}

/// The colours of a picture of high dynamic range: its transfer function, its primaries and its brightest light.
struct HighDynamicRange: Sendable, Hashable {
    /// The transfer functions of BT.2100, from samples to light.
    enum Transfer: String, Sendable, Hashable {
        /// The perceptual quantizer (SMPTE ST 2084), whose samples mean absolute light.
        case pq = "PQ"
        /// Hybrid log-gamma, whose samples mean light in front of the camera.
        case hlg = "HLG"
    }

    /// The light of diffuse white in cd/m², by BT.2408; it becomes the white of the standard range if nothing is
    /// brighter.
    static let diffuseWhite = 203.0
    /// The light of the reference display in cd/m², and the brightest light of a picture that states none.
    static let referencePeak = 1000.0
    /// The lights in cd/m² that a file may state as its brightest one.
    private static let plausiblePeaks = 1.0...10_000

    let transfer: Transfer
    let primaries: Colorimetry.Primaries
    /// The light of the brightest sample in cd/m², if the file states it.
    private(set) var contentPeak: Double?
    /// The brightest light of the display on which the picture was made, if the file states it.
    private(set) var displayPeak: Double?

    /// Interprets code points of ITU-T H.273; `nil` for the standard range and for unknown ones.
    init?(primariesCode: Int, transferCode: Int) {
        let transfers: [Int: Transfer] = [16: .pq, 18: .hlg]
        guard let transfer = transfers[transferCode], let primaries = Colorimetry.Primaries(code: primariesCode) else {
            return nil
        }
        (self.transfer, self.primaries) = (transfer, primaries)
    }

    /// The light of the brightest sample in cd/m², or the best estimate of it.
    ///
    /// HLG is shown as on the reference display, whatever the file states.
    var peak: Double { transfer == .hlg ? Self.referencePeak : contentPeak ?? displayPeak ?? Self.referencePeak }

    /// Adds the brightest light of the content (`clli`) or of the display (`mdcv`); ignores impossible values.
    mutating func addPeaks(content: Double? = nil, display: Double? = nil) {
        if let content, Self.plausiblePeaks.contains(content) { contentPeak = content }
        if let display, Self.plausiblePeaks.contains(display) { displayPeak = display }
    }

    /// The note about the loss of range.
    var note: String { "high dynamic range (\(transfer.rawValue)) reduced to sRGB" }
}

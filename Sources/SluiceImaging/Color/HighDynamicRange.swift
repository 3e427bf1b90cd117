// SPDX-License-Identifier: MIT

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

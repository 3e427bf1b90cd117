// SPDX-License-Identifier: MIT

extension Colorimetry {
    /// Interprets code points of ITU-T H.273; `nil` for unknown ones, and for those of high dynamic range, which sRGB
    /// cannot represent.
    init?(primariesCode: Int, transferCode: Int) {
        let primaries: [Int: Primaries] = [1: .sRGB, 9: .bt2020, 12: .displayP3]
        let curves: [Int: Curve] = [
            1: .bt709, 4: .gamma(2.2), 5: .gamma(2.8), 6: .bt709, 8: .gamma(1), 13: .sRGB, 14: .bt709, 15: .bt709,
        ]
        guard let primaries = primaries[primariesCode], let curve = curves[transferCode] else { return nil }
        self.init(primaries: primaries, curve: curve)
    }
}

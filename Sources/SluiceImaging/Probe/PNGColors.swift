// SPDX-License-Identifier: MIT

/// What a PNG's chunks say of its colours.
///
/// Where several do, the specification ranks them: cICP, iCCP, sRGB, then gAMA with or without cHRM.
struct PNGColors: Sendable {
    /// The chunks that are taken in, and how many bytes they have.
    static let sizes = ["cICP": 4, "sRGB": 1, "gAMA": 4, "cHRM": 32]

    private var coded: Colorimetry?
    private var isSRGB = false
    private var gamma: Double?
    private var primaries: Colorimetry.Primaries?
    /// What is said but not understood.
    private(set) var notes: [String] = []

    /// The colours told in a way that goes before a profile.
    var overProfile: Colorimetry? { coded }

    /// The colours told in a way that gives way to a profile; `nil` if they are not told.
    var underProfile: Colorimetry? {
        if isSRGB { return Colorimetry() }
        return gamma.map { Colorimetry(primaries: primaries ?? .sRGB, curve: .gamma($0)) }
    }

    /// Takes in one of those chunks.
    mutating func take(_ name: String, _ body: ArraySlice<UInt8>) {
        switch name {
        case "cICP": takeCode(Array(body))
        case "sRGB": isSRGB = true
        case "cHRM": primaries = Self.primaries(body)
        default:
            let value = body.number(bigEndian: true)
            if value > 0 { gamma = 100_000 / Double(value) }
        }
    }

    private static func primaries(_ body: ArraySlice<UInt8>) -> Colorimetry.Primaries {
        let places = stride(from: body.startIndex, to: body.endIndex, by: 8).map { start in
            let x = Double(body[start..<start + 4].number(bigEndian: true)) / 100_000
            return Colorimetry.Place(x, Double(body[start + 4..<start + 8].number(bigEndian: true)) / 100_000)
        }
        return Colorimetry.Primaries(white: places[0], red: places[1], green: places[2], blue: places[3])
    }

    /// The numbers are those of ITU-T H.273; those of high dynamic range name light that sRGB has no place for.
    private mutating func takeCode(_ code: [UInt8]) {
        let primaries: [UInt8: Colorimetry.Primaries] = [1: .sRGB, 9: .wide, 12: .displayP3]
        let curves: [UInt8: Colorimetry.Curve] = [
            1: .video, 4: .gamma(2.2), 5: .gamma(2.8), 6: .video, 8: .gamma(1), 13: .sRGB, 14: .video, 15: .video,
        ]
        if let primaries = primaries[code[0]], let curve = curves[code[1]], code[2] == 0, code[3] == 1 {
            coded = Colorimetry(primaries: primaries, curve: curve)
        } else {
            notes.append("colours ignored: cICP \(code.map(String.init).joined(separator: "/"))")
        }
    }
}

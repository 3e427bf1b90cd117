// SPDX-License-Identifier: MIT

/// The colour information in a PNG's chunks other than an embedded profile.
///
/// If several are present, the specification ranks them: cICP, iCCP, sRGB, then gAMA with or without cHRM.
struct PNGColors: Sendable {
    /// The relevant chunks and their sizes in bytes.
    static let sizes = ["cICP": 4, "sRGB": 1, "gAMA": 4, "cHRM": 32]

    private var cicp: Colorimetry?
    private var isSRGB = false
    private var gamma: Double?
    private var primaries: Colorimetry.Primaries?
    /// Notes about chunks that were ignored.
    private(set) var notes: [String] = []

    /// The colours that take precedence over an embedded profile: those of a `cICP` chunk.
    var overridingColors: Colorimetry? { cicp }

    /// The colours of a file without an embedded profile; `nil` for sRGB.
    var fallbackColors: Colorimetry? {
        if isSRGB { return Colorimetry() }
        return gamma.map { Colorimetry(primaries: primaries ?? .sRGB, curve: .gamma($0)) }
    }

    /// Adds one of these chunks.
    mutating func add(_ name: String, _ body: ArraySlice<UInt8>) {
        switch name {
        case "cICP": addCICP(Array(body))
        case "sRGB": isSRGB = true
        case "cHRM": primaries = Self.primaries(body)
        default:
            let value = body.number(bigEndian: true)
            if value > 0 { gamma = 100_000 / Double(value) }
        }
    }

    private static func primaries(_ body: ArraySlice<UInt8>) -> Colorimetry.Primaries {
        let points = stride(from: body.startIndex, to: body.endIndex, by: 8).map { start in
            let x = Double(body[start..<start + 4].number(bigEndian: true)) / 100_000
            return Colorimetry.Chromaticity(x, Double(body[start + 4..<start + 8].number(bigEndian: true)) / 100_000)
        }
        return Colorimetry.Primaries(white: points[0], red: points[1], green: points[2], blue: points[3])
    }

    /// Adds colours as code points of ITU-T H.273.
    private mutating func addCICP(_ code: [UInt8]) {
        let colors = Colorimetry(primariesCode: Int(code[0]), transferCode: Int(code[1]))
        if let colors, code[2] == 0, code[3] == 1 {
            cicp = colors
        } else {
            notes.append("colours ignored: cICP \(code.map(String.init).joined(separator: "/"))")
        }
    }
}

// SPDX-License-Identifier: MIT

/// The colour information in a PNG's chunks other than an embedded profile.
///
/// If several are present, the specification ranks them: cICP, iCCP, sRGB, then gAMA with or without cHRM.
struct PNGColors: Sendable {
    /// The relevant chunks and their sizes in bytes.
    static let sizes = ["cICP": 4, "sRGB": 1, "gAMA": 4, "cHRM": 32, "cLLI": 8, "mDCV": 24]

    private var cicp: Colorimetry?
    private var range: HighDynamicRange?
    /// The brightest lights in cd/m² of the content and of the display that it was made on.
    private var peaks: (content: Double?, display: Double?)
    private var isSRGB = false
    private var gamma: Double?
    private var primaries: Colorimetry.Primaries?
    /// Notes about chunks that were ignored.
    private(set) var notes: [String] = []

    /// The colours that take precedence over an embedded profile: those of a `cICP` chunk.
    var overridingColors: Colorimetry? { cicp }

    /// The colours of a `cICP` chunk for high dynamic range.
    var dynamicRange: HighDynamicRange? {
        var range = range
        range?.addPeaks(content: peaks.content, display: peaks.display)
        return range
    }

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
        case "cLLI": peaks.content = Double(body.prefix(4).number(bigEndian: true)) / 10_000
        case "mDCV": peaks.display = Double(body.dropFirst(16).prefix(4).number(bigEndian: true)) / 10_000
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
        // Samples are those of RGB, and use their whole range.
        let isUsual = code[2] == 0 && code[3] == 1
        cicp = isUsual ? Colorimetry(primariesCode: Int(code[0]), transferCode: Int(code[1])) : nil
        range = isUsual ? HighDynamicRange(primariesCode: Int(code[0]), transferCode: Int(code[1])) : nil
        if let range {
            notes.append(range.note)
        } else if cicp == nil {
            notes.append("colours ignored: cICP \(code.map(String.init).joined(separator: "/"))")
        }
    }
}

// SPDX-License-Identifier: MIT

/// Colour profiles built byte by byte.
enum HandmadeProfiles {
    /// Makes an RGB profile with a gamma of 2.2 and the given primaries in XYZ, by default sRGB's.
    static func rgb(
        red: [Double] = red, green: [Double] = green, blue: [Double] = blue, more: [(String, [UInt8])] = []
    ) -> [UInt8] {
        let gamma = Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0x02, 0x33, 0, 0]
        return profile(
            [
                ("rXYZ", xyz(red)), ("gXYZ", xyz(green)), ("bXYZ", xyz(blue)), ("wtpt", xyz([0.9642, 1, 0.8249])),
                ("rTRC", gamma), ("gTRC", gamma), ("bTRC", gamma),
            ] + more)
    }

    static let red = [0.4360, 0.2225, 0.0139]
    static let green = [0.3851, 0.7169, 0.0971]
    static let blue = [0.1431, 0.0606, 0.7139]

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap { Int32(($0 * 65536).rounded()).bigEndianBytes }
    }

    private static func profile(_ tags: [(String, [UInt8])]) -> [UInt8] {
        var table = UInt32(tags.count).bigEndianBytes
        var bodies: [UInt8] = []
        for (name, body) in tags {
            let start = 128 + 4 + tags.count * 12 + bodies.count
            table += Array(name.utf8) + UInt32(start).bigEndianBytes + UInt32(body.count).bigEndianBytes
            bodies += body
        }
        let size = UInt32(128 + table.count + bodies.count).bigEndianBytes
        let kind = Array("mntrRGB XYZ ".utf8)
        var header = size + [0, 0, 0, 0] + [2, 0x20, 0, 0] + kind
        header += [UInt8](repeating: 0, count: 36 - header.count) + Array("acsp".utf8)
        header +=
            [UInt8](repeating: 0, count: 68 - header.count)
            + [0.9642, 1, 0.8249].flatMap {
                Int32(($0 * 65536).rounded()).bigEndianBytes
            }
        return header + [UInt8](repeating: 0, count: 128 - header.count) + table + bodies
    }
}

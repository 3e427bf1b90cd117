// SPDX-License-Identifier: MIT

/// Small valid colour profiles as seeds.
enum ProfileSeed {
    /// Makes a profile with a gamma of 2.2 for grey, or for primaries near sRGB's.
    static func profile(isGrey: Bool) -> [UInt8] {
        let gamma = Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0x02, 0x33, 0, 0]
        let white = xyz([0xF6D6, 0x10000, 0xD32D])
        let tags =
            isGrey
            ? [("wtpt", white), ("kTRC", gamma)]
            : [
                ("rXYZ", xyz([0x6FA2, 0x38F5, 0x0390])), ("gXYZ", xyz([0x6299, 0xB785, 0x18DA])),
                ("bXYZ", xyz([0x24A0, 0x0F84, 0xB6CF])), ("wtpt", white), ("rTRC", gamma), ("gTRC", gamma),
                ("bTRC", gamma),
            ]
        var table = number(tags.count)
        var bodies: [UInt8] = []
        for (name, body) in tags {
            table += Array(name.utf8) + number(132 + tags.count * 12 + bodies.count) + number(body.count)
            bodies += body
        }
        var header = number(128 + table.count + bodies.count) + number(0) + [2, 0x20, 0, 0]
        header += Array("mntr\(isGrey ? "GRAY" : "RGB ")XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + xyz([0xF6D6, 0x10000, 0xD32D]).dropFirst(8)
        return header + [UInt8](repeating: 0, count: 128 - header.count) + table + bodies
    }

    private static func xyz(_ values: [Int]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap(number)
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
    }
}

// SPDX-License-Identifier: MIT

/// A spelling of an IPv4 address that has been used to bypass address checks.
struct Spelling: Sendable {
    let name: String
    /// The text between `http://` and the port.
    let host: @Sendable ([Int]) -> String

    init(_ name: String, _ host: @escaping @Sendable ([Int]) -> String) {
        self.name = name
        self.host = host
    }

    static let all: [Spelling] = plain + unicode + tricks + wrapped

    private static let plain = [
        Spelling("dotted") { dotted($0) },
        Spelling("decimal") { "\(number($0))" },
        Spelling("hexadecimal") { "0x" + hex(number($0)) },
        Spelling("hexadecimal in capitals") { "0X" + hex(number($0)).uppercased() },
        Spelling("octal") { "0" + octal(number($0)) },
        Spelling("hexadecimal parts") { $0.map { "0x" + hex($0) }.joined(separator: ".") },
        Spelling("octal parts") { $0.map { "0" + octal($0) }.joined(separator: ".") },
        Spelling("padded octal parts") { $0.map { "00000" + octal($0) }.joined(separator: ".") },
        Spelling("two parts") { "\($0[0]).\($0[1] << 16 | $0[2] << 8 | $0[3])" },
        Spelling("three parts") { "\($0[0]).\($0[1]).\($0[2] << 8 | $0[3])" },
        Spelling("mixed parts") { "0x\(hex($0[0])).0\(octal($0[1])).\($0[2]).\($0[3])" },
        Spelling("last dot") { dotted($0) + "." },
        Spelling("decimal with a last dot") { "\(number($0))." },
    ]

    private static let unicode = [
        Spelling("full-width digits") { digits(dotted($0), from: 0xFF10) },
        Spelling("ideographic stops") { dotted($0, by: "\u{3002}") },
        Spelling("full-width stops") { dotted($0, by: "\u{FF0E}") },
        Spelling("half-width ideographic stops") { dotted($0, by: "\u{FF61}") },
        Spelling("mathematical digits") { digits(dotted($0), from: 0x1D7CE) },
        Spelling("encoded digits") { encoded(dotted($0), where: { $0 != "." }) },
        Spelling("encoded stops") { encoded(dotted($0), where: { $0 == "." }) },
        Spelling("encoded full-width stops") { dotted($0, by: "%EF%BC%8E") },
        Spelling("soft hyphens") { dotted($0, by: "\u{AD}.") },
    ]

    private static let tricks = [
        Spelling("a user") { "example.org@" + dotted($0) },
        Spelling("a user and a port") { "example.org:80@" + dotted($0) },
        Spelling("a user with a slash") { "example.org%2F@" + dotted($0) },
        Spelling("a user of a number") { "93.184.216.34@0x" + hex(number($0)) },
        Spelling("a blank user") { "@" + dotted($0) },
    ]

    private static let wrapped = [
        Spelling("IPv4-mapped") { "[::ffff:\(dotted($0))]" },
        Spelling("IPv4-mapped, hexadecimal") { "[::ffff:\(groups($0))]" },
        Spelling("IPv4-mapped, whole") { "[0:0:0:0:0:FFFF:\(groups($0))]" },
        Spelling("IPv4-compatible") { "[::\(dotted($0))]" },
        Spelling("IPv4-translated") { "[::ffff:0:\(groups($0))]" },
        Spelling("NAT64") { "[64:ff9b::\(groups($0))]" },
        Spelling("local NAT64") { "[64:ff9b:1::\(groups($0))]" },
        Spelling("6to4") { "[2002:\(groups($0))::1]" },
        Spelling("Teredo") { "[2001:0:808:808:0:0:\(groups($0.map { 255 - $0 }))]" },
        Spelling("Teredo server") { "[2001:0:\(groups($0)):0:0:f7f7:f7f7]" },
        Spelling("ISATAP") { "[2600::5efe:\(groups($0))]" },
        Spelling("ISATAP, global") { "[2600::200:5efe:\(groups($0))]" },
    ]

    private static func dotted(_ parts: [Int], by stop: String = ".") -> String {
        parts.map(String.init).joined(separator: stop)
    }

    private static func number(_ parts: [Int]) -> Int { parts.reduce(0) { $0 << 8 | $1 } }

    private static func hex(_ number: Int) -> String { String(number, radix: 16) }

    private static func octal(_ number: Int) -> String { String(number, radix: 8) }

    private static func groups(_ parts: [Int]) -> String {
        "\(hex(parts[0] << 8 | parts[1])):\(hex(parts[2] << 8 | parts[3]))"
    }

    private static func digits(_ text: String, from zero: UInt32) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar == "." ? scalar : Unicode.Scalar(zero + scalar.value - 0x30) ?? scalar
                }))
    }

    private static func encoded(_ text: String, where isHidden: (Character) -> Bool) -> String {
        text.map { isHidden($0) ? "%" + hex(Int($0.asciiValue ?? 0)) : String($0) }.joined()
    }
}

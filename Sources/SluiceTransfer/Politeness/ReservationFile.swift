// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rules of a host's `/.well-known/tdmrep.json` about text and data mining (TDM Reservation Protocol, final report
/// of 10 May 2024).
struct ReservationFile: OriginRules, Hashable {
    static let path = "/.well-known/tdmrep.json"

    private struct Rule: Hashable {
        var location: RulePattern
        var statements: [UsageTerms.Statement]
    }

    /// The number of rules that are read.
    private static let maxRules = 10_000

    private var rules: [Rule] = []

    var memory: Int {
        rules.reduce(0) { $0 + $1.location.memory + $1.statements.reduce(0) { $0 + $1.memory } }
    }

    /// The rules of a host without the file.
    init() {}

    /// Parses the file; one that is no array has no rules.
    init(_ text: [UInt8]) {
        guard let json = try? JSON(parsing: text), let elements = json.elements else { return }
        rules = elements.prefix(Self.maxRules).compactMap { rule in
            guard let location = rule["location"]?.text else { return nil }
            return Rule(location: RulePattern(Self.canonical(location)), statements: Self.statements(in: rule))
        }
    }

    /// Returns the statements of the first rule that matches a path with its query.
    func statements(about path: String) -> [UsageTerms.Statement] {
        guard !rules.isEmpty else { return [] }
        // Characters with a meaning in patterns stand for themselves in a path.
        let path = path.replacing("*", with: "%2A").replacing("$", with: "%24")
        let bytes = Array(Self.canonical(path).utf8)
        return rules.first { $0.location.matches(bytes) }?.statements ?? []
    }

    private static func statements(in rule: JSON) -> [UsageTerms.Statement] {
        // Other values are errors, and mean that nothing is stated.
        guard
            let reservation = rule["tdm-reservation"]?.integer
                ?? rule["tdm-reservation"]?.text.flatMap({ Int($0)?.within(Quantity.range) }),
            (0...1).contains(reservation)
        else { return [] }
        let stated = UsageTerms.Statement(UsageTerms.Statement.reservationFile + "tdm-reservation", "\(reservation)")
        guard reservation == 1, let policy = rule["tdm-policy"]?.text else { return [stated] }
        return [stated, UsageTerms.Statement(UsageTerms.Statement.reservationFile + "tdm-policy", policy)]
    }

    /// Decodes the percent-encoded characters that need no encoding, and writes the digits of others in upper case.
    private static func canonical(_ path: String) -> String {
        var bytes: [UInt8] = []
        var rest = path.utf8[...]
        while let first = rest.first {
            rest = rest.dropFirst()
            let digits = rest.prefix(2)
            guard first == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                bytes.append(first)
                continue
            }
            let scalar = Unicode.Scalar(value)
            let isUnreserved =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
            if isUnreserved {
                bytes.append(value)
            } else {
                bytes.append(first)
                bytes += String(decoding: digits, as: UTF8.self).uppercased().utf8
            }
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// SPDX-License-Identifier: MIT

/// A hash that the photo's bytes must have, as its feed states it.
public struct Checksum: Sendable, Hashable, Codable {
    /// How it was made.
    public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
        case sha256, sha1, md5

        /// How many hexadecimal digits it has.
        var digits: Int {
            switch self {
            case .sha256: 64
            case .sha1: 40
            case .md5: 32
            }
        }
    }

    /// How it was made.
    public var algorithm: Algorithm
    /// The hexadecimal digits, in small letters.
    public var digits: String

    /// Reads the hexadecimal digits, in small or capital letters; `nil` for what is no such hash.
    public init?(_ algorithm: Algorithm, _ text: String) {
        let digits = text.lowercased()
        guard digits.utf8.count == algorithm.digits, digits.allSatisfy(\.isHexDigit) else { return nil }
        self.algorithm = algorithm
        self.digits = digits
    }

    /// Reads hexadecimal digits of which their number tells the algorithm; `nil` for what is no hash.
    public init?(digits text: String) {
        guard let algorithm = Algorithm.allCases.first(where: { $0.digits == text.utf8.count }) else { return nil }
        self.init(algorithm, text)
    }

    /// Whether a file is surely another one, as far as its receipt tells.
    public func contradicts(_ file: StoredFile?) -> Bool {
        guard let file else { return false }
        return algorithm == .sha256 && file.sha256 != digits
    }
}

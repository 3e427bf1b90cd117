// SPDX-License-Identifier: MIT

public import SluiceModel

/// Pairs of photos that look alike but are no copies, by the SHA-256 of their files.
///
/// The text form has a pair on each line: two SHA-256, separated by white space. Text after `#` is ignored.
public struct IgnoredPairs: Sendable, Hashable {
    private var pairs: Set<ExactText> = []

    /// Makes an empty set.
    public init() {}

    /// Reads the text form; throws a reason with the number of the invalid line.
    public init(_ text: String) throws(InvalidText) {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            let words = content.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
            guard !words.isEmpty else { continue }
            guard words.count == 2, words.allSatisfy(Self.isSHA256) else {
                throw InvalidText("expected two SHA-256, separated by a blank", line: number + 1)
            }
            pairs.insert(Self.key(words[0], words[1]))
        }
    }

    /// Whether the set has the pair of two files, in any order.
    func contains(_ first: String, _ second: String) -> Bool { pairs.contains(Self.key(first, second)) }

    private static func key(_ first: String, _ second: String) -> ExactText {
        ExactText(first < second ? first + second : second + first)
    }

    private static func isSHA256(_ word: String) -> Bool {
        word.utf8.count == 64
            && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

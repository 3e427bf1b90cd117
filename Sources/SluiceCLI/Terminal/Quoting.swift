// SPDX-License-Identifier: MIT

/// The word as a shell takes it: as it is where that does no harm, else within single quotes.
func shellQuoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-_./:=,+@%".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    // What a terminal must not see, shells read from its bytes' numbers.
    guard word.unicodeScalars.contains(where: isHarmful) else { return "'\(word.replacing("'", with: "'\\''"))'" }
    let parts = word.unicodeScalars.map { scalar in
        if isHarmful(scalar) {
            return String(scalar).utf8.map { "\\x\(String($0 >> 4, radix: 16))\(String($0 & 15, radix: 16))" }.joined()
        }
        return scalar == "'" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
    }
    return "$'\(parts.joined())'"
}

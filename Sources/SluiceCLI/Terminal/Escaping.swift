// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Returns untrusted text in a form that is safe to print: on one line, without control characters or reordering.
///
/// Harmful characters appear as `\u{1b}`. The text is truncated to `columns`, so that a long caption does not flood a
/// log.
func escaped(_ text: String, columns: Int = 200) -> String {
    // Most texts are plain and short, and there is one line for each failed photo.
    if text.utf8.count <= columns, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var shown = ""
    var width = 0
    // Marks without a width could otherwise accumulate without limit.
    var scalars = 0
    for scalar in text.unicodeScalars {
        let part = isHarmful(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        let partWidth = columnCount(part)
        width += partWidth
        scalars += 1
        guard width <= columns, scalars <= columns * 4 else { return truncated(shown, to: columns - 1) + "…" }
        shown.unicodeScalars.append(contentsOf: part.unicodeScalars)
    }
    return shown
}

/// Returns the message without its middle if it exceeds 1000 characters: the reason at its end matters more than a
/// path.
func shortened(_ message: String) -> String {
    let (head, tail) = (600, 399)
    guard message.unicodeScalars.count > head + tail + 1 else { return message }
    let scalars = message.unicodeScalars
    return "\(String(scalars.prefix(head)))…\(String(scalars.suffix(tail)))"
}

/// Returns the start of the text that fits into this many columns.
func truncated(_ text: String, to columns: Int) -> String {
    var width = 0
    var end = text.unicodeScalars.startIndex
    for index in text.unicodeScalars.indices {
        width += columnCount(text.unicodeScalars[index])
        guard width <= columns else { break }
        end = text.unicodeScalars.index(after: index)
    }
    return String(text.unicodeScalars[..<end])
}

/// Returns the approximate width of the text on a terminal.
///
/// Terminals differ, so callers leave the last column free.
func columnCount(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columnCount($1) }
}

/// Returns the text with spaces up to a width in columns.
func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - columnCount(text)))
}

private func columnCount(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
}

/// Whether the scalar controls a terminal or the order of text, ends a line, or has no standard meaning.
///
/// The joiners U+200C and U+200D are harmless, and Persian, Hindi and emoji need them.
func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: return true
    case .unassigned: return scalar.properties.isNoncharacterCodePoint
    default: return false
    }
}

/// Whether the scalar is an East Asian wide or full-width character, or an emoji.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
        0x20000...0x3FFFD:
        true
    default: scalar.properties.isEmojiPresentation
    }
}

/// Returns the word quoted for a shell, if it needs quotes.
func shellQuoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { $0.isDigit || $0.isLetter || "-_./:=,+@%".utf8.contains($0) }
    if isPlain, !word.isEmpty { return word }
    // Characters that could harm a terminal are written as byte escapes, which the shell decodes.
    guard word.unicodeScalars.contains(where: isHarmful) else { return "'\(word.replacing("'", with: "'\\''"))'" }
    let parts = word.unicodeScalars.map { scalar in
        if isHarmful(scalar) {
            return String(scalar).utf8.map { "\\x\(String($0 >> 4, radix: 16))\(String($0 & 15, radix: 16))" }.joined()
        }
        return scalar == "'" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
    }
    return "$'\(parts.joined())'"
}

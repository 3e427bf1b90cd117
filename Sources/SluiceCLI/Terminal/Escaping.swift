// SPDX-License-Identifier: MIT

/// A stranger's text as it may be shown: no control of the terminal, no reordering, no end of line, a bounded width.
///
/// What could do harm is shown as `\u{1b}`. The text is cut behind `columns`, so that no caption floods a log.
func escaped(_ text: String, columns: Int = 200) -> String {
    var shown = ""
    var width = 0
    // Marks that take no column could pile up without end.
    var scalars = 0
    for scalar in text.unicodeScalars {
        let part = isHarmful(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        let partWidth = columnCount(part)
        width += partWidth
        scalars += 1
        guard width <= columns, scalars <= columns * 4 else { return cut(shown, to: columns - 1) + "…" }
        shown.unicodeScalars.append(contentsOf: part.unicodeScalars)
    }
    return shown
}

/// A sentence that can be shown: one that is far too long loses its middle, some path, and not the reason at its end.
func withoutMiddle(_ sentence: String) -> String {
    let (head, tail) = (600, 399)
    guard sentence.unicodeScalars.count > head + tail + 1 else { return sentence }
    let scalars = sentence.unicodeScalars
    return "\(String(scalars.prefix(head)))…\(String(scalars.suffix(tail)))"
}

/// The part of the text that fits in so many columns.
func cut(_ text: String, to columns: Int) -> String {
    var width = 0
    var end = text.unicodeScalars.startIndex
    for index in text.unicodeScalars.indices {
        width += columnCount(text.unicodeScalars[index])
        guard width <= columns else { break }
        end = text.unicodeScalars.index(after: index)
    }
    return String(text.unicodeScalars[..<end])
}

/// How many columns a terminal shows the text in, more or less: terminals differ, so that nobody relies on the last one.
func columnCount(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columnCount($1) }
}

private func columnCount(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
}

/// Whether the scalar steers a terminal or the order of text, ends a line, or has no meaning that others share.
///
/// The joiners U+200C and U+200D are kept: Persian, Hindi and emoji need them, and they move nothing.
func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: return true
    case .unassigned: return scalar.properties.isNoncharacterCodePoint
    default: return false
    }
}

/// East Asian wide and full-width characters, and emoji.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
        0x20000...0x3FFFD:
        true
    default: scalar.properties.isEmojiPresentation
    }
}

// SPDX-License-Identifier: MIT

let maximumHelpWidth = 80
/// With less room for meanings beside their terms, they are below them.
private let leastMeaningWidth = 24

/// Returns the width of help for an output: that of the terminal, within limits.
func helpWidth(on output: Output) -> Int {
    output.isTerminal ? min(max(output.columns ?? maximumHelpWidth, 30), maximumHelpWidth) : maximumHelpWidth
}

/// Breaks the text at spaces into lines of at most `width` columns, and longer words at their punctuation.
func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        for (index, part) in parts(of: word, to: width).enumerated() {
            let isSeparate = index > 0
            if !line.isEmpty, isSeparate || columnCount(line) + 1 + columnCount(part) > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? part : " \(part)"
        }
    }
    return line.isEmpty ? lines : lines + [line]
}

/// Returns the word in pieces of at most `width` columns that end with punctuation.
private func parts(of word: Substring, to width: Int) -> [String] {
    guard columnCount(String(word)) > width else { return [String(word)] }
    var parts: [String] = []
    var part = ""
    var piece = ""
    for character in word {
        piece.append(character)
        guard "|_/,:-.".contains(character) else { continue }
        if !part.isEmpty, columnCount(part + piece) > width {
            parts.append(part)
            part = ""
        }
        part += piece
        piece = ""
    }
    guard !part.isEmpty, columnCount(part + piece) > width else { return parts + [part + piece] }
    return parts + [part, piece]
}

/// Returns the text in lines that start at column `indent`.
func indented(_ text: String, by indent: Int, width: Int) -> String {
    let lead = String(repeating: " ", count: indent)
    return wrapped(text, to: width - indent).map { "\(lead)\($0)\n" }.joined()
}

/// Returns a term with its meaning at column `column`; the meaning starts on the next line if the term is too long.
func entry(_ term: String, _ meaning: String, column: Int, width: Int) -> String {
    guard width - column >= leastMeaningWidth else {
        return indented(term, by: 2, width: width) + indented(meaning, by: 6, width: width)
    }
    let lead = String(repeating: " ", count: column)
    let lines = wrapped(meaning, to: width - column)
    let start = "  \(term)"
    let gap = column - columnCount(start)
    let isSameLine = gap >= 2
    var text = isSameLine ? start + String(repeating: " ", count: gap) + (lines.first ?? "") + "\n" : start + "\n"
    for line in isSameLine ? lines.dropFirst() : lines[...] { text += lead + line + "\n" }
    return text
}

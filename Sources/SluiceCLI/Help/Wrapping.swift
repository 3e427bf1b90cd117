// SPDX-License-Identifier: MIT

/// The maximum width of help in columns.
let helpWidth = 80

/// Breaks the text at spaces into lines of at most `width` columns.
func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if !line.isEmpty, columnCount(line) + 1 + columnCount(String(word)) > width {
            lines.append(line)
            line = ""
        }
        line += line.isEmpty ? "\(word)" : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
}

/// Returns the text in lines that start at column `indent`.
func indented(_ text: String, by indent: Int) -> String {
    let lead = String(repeating: " ", count: indent)
    return wrapped(text, to: helpWidth - indent).map { "\(lead)\($0)\n" }.joined()
}

/// Returns a term with its meaning at column `column`; the meaning starts on the next line if the term is too long.
func entry(_ term: String, _ meaning: String, column: Int) -> String {
    let lead = String(repeating: " ", count: column)
    let lines = wrapped(meaning, to: helpWidth - column)
    let start = "  \(term)"
    let gap = column - columnCount(start)
    let isSameLine = gap >= 2
    var text = isSameLine ? start + String(repeating: " ", count: gap) + (lines.first ?? "") + "\n" : start + "\n"
    for line in isSameLine ? lines.dropFirst() : lines[...] { text += lead + line + "\n" }
    return text
}

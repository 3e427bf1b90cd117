// SPDX-License-Identifier: MIT

/// The width that help keeps to.
let helpWidth = 80

/// The text in lines no wider than `width`, broken at spaces.
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

/// The text in lines that all begin at column `indent`.
func indented(_ text: String, by indent: Int) -> String {
    let lead = String(repeating: " ", count: indent)
    return wrapped(text, to: helpWidth - indent).map { "\(lead)\($0)\n" }.joined()
}

/// A term with its meaning beside it, at column `column`; below it where the term is too long.
func entry(_ term: String, _ meaning: String, column: Int) -> String {
    let lead = String(repeating: " ", count: column)
    let lines = wrapped(meaning, to: helpWidth - column)
    let head = "  \(term)"
    let room = column - columnCount(head)
    let isBeside = room >= 2
    var text = isBeside ? head + String(repeating: " ", count: room) + (lines.first ?? "") + "\n" : head + "\n"
    for line in isBeside ? lines.dropFirst() : lines[...] { text += lead + line + "\n" }
    return text
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A text of a list: UTF-8, or else Windows-1252, which spreadsheets of Western Europe write.
struct ListText {
    let text: String
    /// Whether the text is not UTF-8, so that its encoding is a guess.
    let isGuessed: Bool

    init(_ bytes: ArraySlice<UInt8>) {
        let valid = String(utf8: bytes.span)
        text = valid ?? Windows1252.text(of: bytes)
        isGuessed = valid == nil
    }

    /// The note for the user about a list with such a text in a line.
    static func note(line: Int) -> String { "line \(line) is not UTF-8; such lines are read as Windows-1252" }
}

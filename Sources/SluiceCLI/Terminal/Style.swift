// SPDX-License-Identifier: MIT

/// The colours and characters that an output supports.
struct Style: Sendable, Hashable {
    var isColored = false
    /// Whether the output may contain characters beyond ASCII.
    var isUnicode = true

    init(isColored: Bool = false, isUnicode: Bool = true) {
        self.isColored = isColored
        self.isUnicode = isUnicode
    }

    init(_ choice: ColorChoice, on output: Output, _ environment: Environment) {
        isUnicode = environment.isUnicode
        isColored =
            switch choice {
            case .always: true
            case .never: false
            case .auto: output.isTerminal && environment.canRedraw && !environment.forbidsColor
            }
    }

    /// Terminal colours; the sixteen basic ones follow the user's theme.
    enum Color: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case dim = "2"
    }

    /// Returns the text in this colour, if the output supports colour.
    func paint(_ text: String, _ color: Color) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// The values of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

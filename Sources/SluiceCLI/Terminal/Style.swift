// SPDX-License-Identifier: MIT

/// How words may look where they go.
struct Style: Sendable, Hashable {
    /// Whether they may be coloured.
    var isColored = false
    /// Whether signs beyond ASCII are shown as they are.
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

    /// The terminal's own sixteen colours, so that the user's theme stays in force.
    enum Color: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case dim = "2"
    }

    /// The text in that colour, where that may be.
    func paint(_ text: String, _ color: Color) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

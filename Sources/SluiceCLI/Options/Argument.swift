// SPDX-License-Identifier: MIT

/// An option and its value, as given on the command line or in another source.
struct Argument: Sendable {
    /// The option as the user wrote it: `--pages`, `-p`.
    var spelling: String
    /// The text of the value; empty for an option without a value.
    var text = ""
    /// False for the name that reverses an option (`--gallery` for `--no-gallery`).
    var isOn = true
}

/// The error for a value that an option does not accept.
struct InvalidValue: Error, Hashable {
    /// The accepted values, to follow the word "expected": `a whole number from 1 to 100`.
    var expected: String

    init(_ expected: String) {
        self.expected = expected
    }
}

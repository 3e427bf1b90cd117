// SPDX-License-Identifier: MIT

/// An option as it stood on the command line.
struct Argument: Sendable {
    /// The option as the user wrote it: `--pages`, `-p`.
    var spelling: String
    /// The value's text; empty for an option without a value.
    var text = ""
    /// False for the form that takes an option back (`--gallery` for `--no-gallery`).
    var isOn = true
}

/// A value that an option does not take.
struct Refusal: Error, Hashable {
    /// What it takes, to follow the word "takes": `a whole number from 1 on`.
    var allowed: String

    init(_ allowed: String) {
        self.allowed = allowed
    }
}

/// Why a command line is refused: one sentence for the user.
struct UsageError: Error, Hashable {
    /// The sentence, safe to print.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

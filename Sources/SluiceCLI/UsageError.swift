// SPDX-License-Identifier: MIT

/// The error for an invalid command line.
struct UsageError: Error, Hashable {
    /// The message, safe to print.
    var message: String
    /// A suggestion, safe to print.
    var hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }
}

// SPDX-License-Identifier: MIT

/// The error for an invalid command line.
struct UsageError: Error, Hashable {
    /// The message, safe to print.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

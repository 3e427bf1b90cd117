// SPDX-License-Identifier: MIT

/// Why a SOURCE cannot be opened, in a sentence that says what to do: an unknown word, a missing file or key.
public struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence.
    public var message: String

    init(_ message: String) {
        self.message = message
    }

    /// The sentence.
    public var description: String { message }
}

// SPDX-License-Identifier: MIT

extension String {
    /// Creates a text from UTF-8; `nil` if the bytes are invalid.
    ///
    /// Use this for many short texts: `String(validating:as:)` is generic, and looks up types in every call.
    package init?(utf8 bytes: Span<UInt8>) {
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            return nil
        }
    }
}

extension String {
    /// The parts between slashes, also empty ones.
    ///
    /// A slash before a combining mark is part of another character, but a slash to servers and file systems.
    package var pathComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The text after a prefix that it begins with, byte by byte; a character may begin in one and end in the other.
    package func dropping(prefix: String) -> String { String(Substring(utf8.dropFirst(prefix.utf8.count))) }
}

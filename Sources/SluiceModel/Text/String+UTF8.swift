// SPDX-License-Identifier: MIT

extension String {
    /// Makes a text from UTF-8; `nil` if the bytes are invalid.
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

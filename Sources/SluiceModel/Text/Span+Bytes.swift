// SPDX-License-Identifier: MIT

/// Loops over a span take a tenth of the instructions that those over `String.UTF8View` take.
extension Span where Element == UInt8 {
    /// Whether a predicate holds for all bytes.
    @inlinable
    package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[index]) { return false }
        return true
    }

    /// Whether one of the bytes has this value.
    @inlinable
    package func contains(_ byte: UInt8) -> Bool { !allSatisfy { $0 != byte } }

    /// Whether the bytes from `start` on begin with those of a text.
    @inlinable
    package func contains(_ text: StaticString, at start: Int) -> Bool {
        guard start + text.utf8CodeUnitCount <= count else { return false }
        for index in 0..<text.utf8CodeUnitCount where unsafe self[start + index] != text.utf8Start[index] {
            return false
        }
        return true
    }
}

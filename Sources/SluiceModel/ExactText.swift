// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A text that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift compares texts by their meaning: `é` equals `e` with a combining accent. Servers, buckets and file systems
/// treat these as two names. So text from outside (addresses, keys, names of files, ids) is compared with `===`, and is
/// a key of ``TextSet`` and ``TextMap`` only. `TextComparisonTests` enforces that.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text === right.text }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // As in Swift's own texts, so that a list of texts has no second reading.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether both texts have the same bytes; Unicode's equivalent forms differ.
    package static func === (left: String, right: String) -> Bool {
        var (left, right) = (left, right)
        guard left.utf8.count == right.utf8.count else { return false }
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return left.isEmpty }
                return unsafe memcmp(first, second, left.count) == 0
            }
        }
    }

    /// Whether the texts have different bytes.
    package static func !== (left: String, right: String) -> Bool { !(left === right) }
}

extension String? {
    /// Whether both texts have the same bytes, or both are missing.
    package static func === (left: String?, right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left === right
    }

    /// Whether the texts have different bytes, or one is missing.
    package static func !== (left: String?, right: String?) -> Bool { !(left === right) }
}

extension Sequence<String> {
    /// The texts in the order of their UTF-8 bytes, which is the same for every language and release of Unicode.
    package func sortedByBytes() -> [String] { sorted { ExactText($0) < ExactText($1) } }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The results of the last parsed addresses, by their exact texts.
///
/// Each text has one place, where the next text with the same place replaces it.
struct RecentAddresses: Sendable {
    private static let count = 512
    /// Longer texts are not kept, so that the table has at most a few hundred kilobytes.
    private static let maxLength = 512

    private var entries: [(text: String, address: WebAddress)?] = []

    /// Returns the address with this text, if it is one of the last.
    subscript(text: String) -> WebAddress? {
        guard !entries.isEmpty, let entry = entries[Self.place(of: text)], entry.text === text else { return nil }
        return entry.address
    }

    /// Keeps the address that a text was parsed to.
    mutating func add(_ address: WebAddress, of text: String) {
        guard text.utf8.count <= Self.maxLength else { return }
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.count) }
        entries[Self.place(of: text)] = (text, address)
    }

    private static func place(of text: String) -> Int {
        Int(UInt(bitPattern: ExactText(text).hashValue) % UInt(count))
    }
}

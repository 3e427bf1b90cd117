// SPDX-License-Identifier: MIT

public import SluiceModel

/// Assigns file names to new items as an empty ledger does, without a ledger.
///
/// It keeps about 16 bytes per item in memory, and nothing for the default template, whose names differ by position.
public struct FileNames: Sendable {
    private let template: NameTemplate
    private var taken: Set<Int> = []

    /// Creates names from a template.
    public init(_ template: NameTemplate) { self.template = template }

    /// Whether a name is one that this type may return for some template and item: each component is a ``SafeName``.
    public static func isSafe(_ name: String) -> Bool { SafeName.consists(path: name) }

    /// Whether all names are ``FileStem``s, which depend on their items only.
    public var areStems: Bool { template == .standard }

    /// Returns the name of the next item, without an extension; `nil` if all candidates are taken.
    public mutating func name(for item: Item) -> String? {
        if areStems { return template.name(of: item) }
        return template.candidates(for: item).first { taken.insert(SafeName.key(of: $0)).inserted }
    }
}

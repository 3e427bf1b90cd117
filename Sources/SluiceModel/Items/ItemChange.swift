// SPDX-License-Identifier: MIT

/// A change to one item of a mirror between two runs.
public struct ItemChange: Sendable, Hashable {
    /// A kind of change.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The item was done for the first time, or its feed lists it again.
        case new
        /// The file has other bytes.
        case changed
        /// The feed no longer lists the item.
        case gone
    }

    /// The item's position in the mirror.
    public var item: Int
    /// The kind of change.
    public var kind: Kind
    /// The file's path relative to the mirror; without a file, the item's former name or its id.
    public var name: String

    /// Creates a change.
    public init(item: Int, kind: Kind, name: String) {
        self.item = item
        self.kind = kind
        self.name = name
    }
}

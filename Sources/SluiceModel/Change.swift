// SPDX-License-Identifier: MIT

/// What became of one of a mirror's items between two runs.
public struct Change: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// It was done for the first time, or its feed lists it again.
        case new
        /// It has other bytes.
        case changed
        /// Its feed lists it no more.
        case gone
    }

    /// The item's place.
    public var item: Int
    /// What became of it.
    public var kind: Kind
    /// Its file, below the mirror's folder; the name that it had, or else its id, if it has none any more.
    public var name: String

    /// Makes a change.
    public init(item: Int, kind: Kind, name: String) {
        self.item = item
        self.kind = kind
        self.name = name
    }
}

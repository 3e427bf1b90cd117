// SPDX-License-Identifier: MIT

/// What a user may say of a list.
public struct ListOptions: Sendable, Hashable {
    /// The name of the column, or member, that holds the photos' addresses; `nil` looks for one by name.
    public var urlColumn: String?
    /// The name of the column, or member, that holds the photos' ids; `nil` looks for one by name.
    public var idColumn: String?

    /// Makes the defaults.
    public init() {}
}

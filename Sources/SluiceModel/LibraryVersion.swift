// SPDX-License-Identifier: MIT

/// A C library that a room calls, and its version as the library itself tells it.
public struct LibraryVersion: Sendable, Hashable {
    /// The library's name.
    public var name: String
    /// Its version.
    public var version: String

    /// Makes a library's entry.
    public init(_ name: String, _ version: String) {
        self.name = name
        self.version = version
    }
}

// SPDX-License-Identifier: MIT

/// The name and version of a C library, as reported by the library itself.
public struct LibraryVersion: Sendable, Hashable {
    /// The library's name.
    public var name: String
    /// Its version.
    public var version: String

    /// Creates an entry.
    public init(_ name: String, _ version: String) {
        self.name = name
        self.version = version
    }
}

// SPDX-License-Identifier: MIT

/// Which Sluice this is, and what it stands on.
public enum Version {
    /// A C library that Sluice calls, and its version as the library itself tells it.
    public struct Library: Sendable, Hashable {
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

    /// The C libraries, as each room tells them; a room that calls one more adds its line.
    public static var libraries: [Library] { [] }

    /// The version's number, as `major.minor.patch`.
    public static let number = "0.1.0"
    /// When the version was made, in seconds since 1970: no machine whose clock is right shows less.
    static let epoch = 1_767_225_600
}

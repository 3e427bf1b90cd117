// SPDX-License-Identifier: MIT

/// The name and the version of a codec library.
public struct CodecVersion: Sendable, Hashable {
    /// The library's name.
    public let name: String
    /// The version at run time; for libjpeg-turbo and giflib, that of the header it was compiled with.
    public let version: String

    init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// Creates a version from a number of three parts, for example 10639 with base 100 as `1.6.39`.
    init(name: String, number: Int, base: Int) {
        self.init(name: name, version: "\(number / base / base).\(number / base % base).\(number % base)")
    }
}

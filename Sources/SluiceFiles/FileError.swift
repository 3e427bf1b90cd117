// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the machine refused: the call, the path and the system's own word.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's error number.
    public var code: Int32
    /// What was tried: `create`, `write`, `rename`, and so on.
    public var operation: String
    /// The path that it was tried on.
    public var path: String

    /// Makes an error of a number that was captured right behind the call.
    public init(code: Int32, operation: String, path: String) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// `write /photos/a.jpg: No space left on device`.
    public var description: String { "\(operation) \(path): \(reason)" }

    /// The system's own words.
    public var reason: String { unsafe String(cString: strerror(code)) }
}

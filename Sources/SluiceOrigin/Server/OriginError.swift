// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Why an origin could not start.
public struct OriginError: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Code: Sendable, Hashable {
        /// The address is not a loopback one.
        case notLoopback
        /// The server could not listen.
        case cannotListen
    }

    /// What went wrong.
    public var code: Code
    /// The address and the port that were asked for.
    public var address: String
    /// The system's error number, if it gave one.
    public var errno: Int32
}

extension OriginError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch code {
        case .notLoopback: return "cannot serve on \(address): it is not a loopback address (use 127.0.0.1)"
        case .cannotListen:
            let reason = errno == 0 ? "the server did not start" : unsafe String(cString: strerror(errno))
            return "cannot serve on \(address): \(reason)"
        }
    }
}

// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An error that prevents an origin server from starting.
public struct OriginError: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Code: Sendable, Hashable {
        /// The address is not a loopback address.
        case notLoopback
        /// The server could not listen on the address.
        case cannotListen
    }

    /// The kind of error.
    public var code: Code
    /// The requested address and port.
    public var address: String
    /// The system's error number; 0 for errors of the HTTP library.
    public var errno: Int32
}

extension OriginError: CustomStringConvertible {
    /// The message, in one line.
    public var description: String {
        switch code {
        case .notLoopback: return "cannot serve on \(address): not a loopback address (use 127.0.0.1)"
        case .cannotListen:
            let reason = errno == 0 ? "the server did not start" : unsafe String(cString: strerror(errno))
            return "cannot serve on \(address): \(reason)"
        }
    }
}

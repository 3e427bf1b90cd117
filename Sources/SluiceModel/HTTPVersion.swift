// SPDX-License-Identifier: MIT

/// What is spoken with hosts.
public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// HTTP/2 where a host offers it with TLS, else HTTP/1.1.
    case auto
    /// HTTP/1.1 alone.
    case one = "1.1"
    /// HTTP/2, without TLS even unasked.
    case two = "2"
}

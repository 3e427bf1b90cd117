// SPDX-License-Identifier: MIT

/// The HTTP version to use with hosts.
public enum HTTPVersion: String, Sendable, Hashable, CaseIterable {
    /// HTTP/2 if the host offers it over TLS, otherwise HTTP/1.1.
    case auto
    /// Only HTTP/1.1.
    case http1 = "1.1"
    /// HTTP/2; without TLS it is used without negotiation.
    case http2 = "2"
}

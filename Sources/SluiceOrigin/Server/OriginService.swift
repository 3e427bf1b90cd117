// SPDX-License-Identifier: MIT

/// What an origin serves.
///
/// A test's own service is five lines; ``DemoService`` is the built-in one.
public protocol OriginService: Sendable {
    /// The reply to a request.
    ///
    /// It is called on the server's threads, several at once, and must not block: give the reply a delay or a gate
    /// instead. The origin applies latency, bandwidth and faults, and leaves the body out for `HEAD`.
    func reply(to request: OriginRequest) -> OriginReply
}

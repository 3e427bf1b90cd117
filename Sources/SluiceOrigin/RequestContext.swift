// SPDX-License-Identifier: MIT

/// The state of one request and its reply; used only on its connection's thread.
final class RequestContext {
    /// The progress of a request.
    enum Phase {
        /// The head or the body is still arriving.
        case receiving
        /// The request is complete, and its fault and latency are chosen.
        case received(OriginRequest, OriginFault?)
        /// The service has returned a reply.
        case answered(OriginReply, OriginFault?)
        /// Nothing remains to be done; the connection closes if the server asks again.
        case finished
    }

    /// The request target as the client wrote it.
    let target: String
    var phase = Phase.receiving
    /// Whether the server has reported the request's head.
    var hasHead = false
    /// The received part of the request's body, at most 64 KiB.
    private(set) var body: [UInt8] = []
    /// The reply's body, once it is being sent.
    var outgoingBody: OutgoingBody?

    private static let bodyLimit = 64 << 10

    init(target: String) { self.target = target }

    /// Appends a part of the request's body and drops bytes beyond the limit.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        unsafe body.append(contentsOf: bytes.prefix(max(0, Self.bodyLimit - body.count)))
    }
}

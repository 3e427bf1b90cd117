// SPDX-License-Identifier: MIT

/// One request and its reply; used on its connection's thread alone.
final class Exchange {
    /// How far it is.
    enum Phase {
        /// Its head, then its body, are being read.
        case arriving
        /// It is here, and its faults and its latency are settled.
        case decided(OriginRequest, OriginFault?)
        /// The service has answered.
        case answered(OriginReply, OriginFault?)
        /// Nothing more is to be done; if the server asks again, the connection ends.
        case over
    }

    /// The target as the client wrote it.
    let target: String
    var phase = Phase.arriving
    /// Whether the server has told of the head.
    var hasHead = false
    /// The request's body so far, bounded.
    private(set) var body: [UInt8] = []
    /// The reply's body, once it is sent.
    var outflow: Outflow?

    private static let bodyLimit = 64 << 10

    init(target: String) { self.target = target }

    /// Takes in a part of the request's body; what is too much is dropped.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        unsafe body.append(contentsOf: bytes.prefix(max(0, Self.bodyLimit - body.count)))
    }
}

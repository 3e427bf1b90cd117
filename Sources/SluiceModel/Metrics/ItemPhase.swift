// SPDX-License-Identifier: MIT

/// The timed phases of processing an item, in order.
public enum ItemPhase: Int, Sendable, Hashable, CaseIterable {
    /// Resolving the host's name.
    case dns
    /// Opening a connection.
    case connect
    /// The TLS handshake.
    case tls
    /// Sending the request and waiting for the first byte of the reply.
    case firstByte
    /// Receiving the photo.
    case body
    /// Waiting for a decoder and for memory.
    case queue
    /// Decoding the photo.
    case decode
    /// Scaling, rotating, cropping and colour-converting the thumbnails.
    case resample
    /// Encoding the thumbnails.
    case encode
    /// Waiting for the commit batch, and flushing it to disk.
    case write

    /// The phase's name in reports, traces and metrics.
    public var name: String {
        switch self {
        case .dns: "dns"
        case .connect: "connect"
        case .tls: "tls"
        case .firstByte: "first-byte"
        case .body: "body"
        case .queue: "queue"
        case .decode: "decode"
        case .resample: "resample"
        case .encode: "encode"
        case .write: "write"
        }
    }
}

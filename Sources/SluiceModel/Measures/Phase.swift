// SPDX-License-Identifier: MIT

/// The parts of an item's way that take time, in the order in which they come.
public enum Phase: Int, Sendable, Hashable, CaseIterable {
    /// The host's name is looked up.
    case dns
    /// A connection is opened.
    case connect
    /// The connection is made secret.
    case tls
    /// The request is on its way, and the host thinks.
    case firstByte
    /// The photo arrives.
    case body
    /// The photo is there, and waits for a decoder and its memory.
    case queue
    /// The picture is decoded.
    case decode
    /// The thumbnails are scaled, turned, cropped and brought to their colours.
    case resample
    /// The thumbnails are encoded.
    case encode
    /// The files and the receipt wait for others, and are made safe with them.
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

// SPDX-License-Identifier: MIT

/// A body that is read while it is sent, such as a large file or a stream of events.
///
/// The server reads it on its threads, for one reply and never concurrently. Reading must not block.
package protocol OriginStream: Sendable {
    /// The number of bytes; `nil` if it is unknown, and the body is then sent in chunks.
    var length: Int? { get }

    /// Reads at most `count` bytes from `offset`.
    func read(at offset: Int, count: Int) -> OriginReadResult
}

/// The result of reading from a stream.
package enum OriginReadResult: Sendable {
    /// At least one byte.
    case bytes([UInt8])
    /// No bytes yet; the server reads again when the gate opens.
    case later(OriginGate)
    /// The end of the stream; before the announced length it closes the connection.
    case end
}

/// A byte range of a stream.
struct StreamPart: OriginStream {
    let whole: any OriginStream
    let range: Range<Int>

    var length: Int? { range.count }

    func read(at offset: Int, count: Int) -> OriginReadResult {
        whole.read(at: range.lowerBound + offset, count: min(count, range.count - offset))
    }
}

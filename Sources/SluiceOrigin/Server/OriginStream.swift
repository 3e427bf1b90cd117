// SPDX-License-Identifier: MIT

/// A body that is read while it goes out: a file that is too large to hold, or news that are still to come.
///
/// An origin reads it on the threads of its server, for one reply and never on two at once, and must not be kept waiting.
public protocol OriginStream: Sendable {
    /// How many bytes there are; `nil` if that is not known, and the body then goes out in chunks.
    var length: Int? { get }

    /// What comes from `offset` on, `count` bytes at most.
    func read(at offset: Int, count: Int) -> OriginPiece
}

/// What a stream has to give.
public enum OriginPiece: Sendable {
    /// At least one byte.
    case bytes([UInt8])
    /// Nothing yet; no thread waits at the gate.
    case later(OriginGate)
    /// Nothing any more. Before the length that was promised this breaks the connection off.
    case end
}

/// A part of a stream whose length is known.
struct StreamPart: OriginStream {
    let whole: any OriginStream
    let range: Range<Int>

    var length: Int? { range.count }

    func read(at offset: Int, count: Int) -> OriginPiece {
        whole.read(at: range.lowerBound + offset, count: min(count, range.count - offset))
    }
}

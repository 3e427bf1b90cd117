// SPDX-License-Identifier: MIT

/// Reads a file while it is downloaded, and decides when its first bytes suffice.
///
/// A copy made before the first call starts over with the file. It runs on the transfer loop's thread, so it must be
/// quick.
public protocol PrefixReading: Sendable {
    /// Reads the next bytes; returns the part that suffices, once it is known.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> SufficientPart?
}

/// The first bytes of a file, and what completes them to a smaller file.
public struct SufficientPart: Sendable, Hashable {
    /// The number of bytes from the file.
    public var length: Int
    /// The bytes that follow them.
    public var ending: [UInt8]

    /// Describes a part.
    public init(length: Int, ending: [UInt8]) { (self.length, self.ending) = (length, ending) }
}

/// A successful download of a part that suffices.
public struct StoppedDownload: Sendable, Hashable {
    /// The number of bytes received.
    public var received: Int
    /// The announced size of the whole file in bytes, if any.
    public var announced: Int?

    /// The number of bytes that were not downloaded, if the size is known.
    public var saved: Int? { announced.map { max(0, $0 - received) } }
}

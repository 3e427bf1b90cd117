// SPDX-License-Identifier: MIT

public import SluiceFiles

/// Reads the records that a store keeps about its files.
public protocol RecordReading: Sendable {
    /// Opens a file together with its ``stamp(of:)``.
    func openWithStamp(_ name: String) throws(FileError) -> StampedFile

    /// Returns the facts that the store recorded when a file was written; `nil` if the file must be read.
    func recordedContent(of name: String) throws(FileError) -> RecordedContent?
}

/// An open file and the stamp of its version.
public struct StampedFile: ~Copyable {
    /// The file, which may be a verified local copy.
    public let file: OpenFile
    /// See ``Store/stamp(of:)``.
    public let stamp: String

    init(_ file: consuming OpenFile, stamp: String) {
        self.file = file
        self.stamp = stamp
    }

    /// Returns the file without its stamp.
    public consuming func take() -> OpenFile { file }
}

/// A store's knowledge about a file that it has not read.
public struct RecordedContent: Sendable, Hashable {
    /// The size in bytes.
    public var size: Int
    /// The SHA-256, 64 hexadecimal digits.
    public var sha256: String
}

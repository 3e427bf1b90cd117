// SPDX-License-Identifier: MIT

package import SluiceFiles

/// Reads the records that a store keeps about its files.
package protocol RecordReading: Sendable {
    /// Opens a file together with its ``stamp(of:)``.
    func openWithStamp(_ name: String) throws(FileError) -> StampedFile

    /// Returns the facts that the store recorded when a file was written; `nil` if the file must be read.
    func recordedContent(of name: String) throws(FileError) -> RecordedContent?
}

/// An open file and the stamp of its version.
package struct StampedFile: ~Copyable {
    /// The file, which may be a verified local copy.
    package let file: OpenFile
    /// See ``Store/stamp(of:)``.
    package let stamp: String

    init(_ file: consuming OpenFile, stamp: String) {
        self.file = file
        self.stamp = stamp
    }

    /// Returns the file without its stamp.
    package consuming func take() -> OpenFile { file }
}

/// A store's knowledge about a file that it has not read.
package struct RecordedContent: Sendable, Hashable {
    /// The size in bytes.
    package var size: Int
    /// The SHA-256, 64 hexadecimal digits.
    package var sha256: String
}

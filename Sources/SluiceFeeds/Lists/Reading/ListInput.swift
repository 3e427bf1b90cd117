// SPDX-License-Identifier: MIT

package import SluiceFiles

/// The bytes of a list: a file, a pipe, or an object in a bucket.
///
/// One thread at a time uses it.
package protocol ListInput: AnyObject {
    /// The size in bytes; `nil` for a pipe.
    var size: Int? { get }
    /// The number of bytes read so far.
    var bytesRead: Int { get }

    /// Waits until bytes or the end of the input are available; returns false after the timeout.
    func isReady(within milliseconds: Int32) -> Bool

    /// Reads up to `count` bytes; blocks until some are available, and returns none at the end.
    func read(_ count: Int) throws(FileError) -> [UInt8]
}

/// Opens the bytes of a list.
package typealias ListOpener = @Sendable () throws(FileError) -> any ListInput

/// A file or a pipe as a list.
final class FileInput: ListInput {
    private var file: InputFile

    init(_ file: consuming InputFile) { self.file = file }

    var size: Int? { file.size }
    var bytesRead: Int { file.bytesRead }

    func isReady(within milliseconds: Int32) -> Bool { file.isReady(within: milliseconds) }

    func read(_ count: Int) throws(FileError) -> [UInt8] { try file.read(count) }
}

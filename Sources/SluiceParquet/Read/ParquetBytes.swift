// SPDX-License-Identifier: MIT

package import SluiceFiles

/// The bytes of a Parquet file: a local file, or one of which parts are requested.
///
/// One thread at a time uses it.
package protocol ParquetBytes: AnyObject {
    /// The size of the whole file.
    var size: Int { get throws(FileError) }

    /// Reads up to `count` bytes at `offset`; returns fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(FileError) -> [UInt8]

    /// Announces the parts that are read next, each from its start to its end.
    func willRead(_ parts: [Range<Int>])
}

/// A Parquet file on this machine.
package final class LocalParquetFile: ParquetBytes {
    private let file: OpenFile

    /// Reads an open file.
    package init(_ file: consuming OpenFile) { self.file = file }

    package var size: Int {
        get throws(FileError) { try file.size }
    }

    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        try file.read(at: offset, count: count)
    }

    package func willRead(_ parts: [Range<Int>]) {}
}

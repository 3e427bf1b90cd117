// SPDX-License-Identifier: MIT

package import SluiceFiles

// The numbers of the Parquet format (https://parquet.apache.org/docs/file-format/).

/// The first and the last bytes of a file.
let parquetMagic = Array("PAR1".utf8)

/// The storage type of a column.
enum PhysicalType: Int {
    case boolean = 0
    case int32, int64, int96, float, double, byteArray, fixedLengthByteArray
}

/// Whether a field of the schema must be present.
enum Repetition: Int {
    case required = 0
    case optional, repeated
}

/// The encoding of a page's values or levels.
enum PageEncoding: Int {
    case plain = 0
    case plainDictionary = 2
    case rle, bitPacked, deltaBinaryPacked, deltaLengthByteArray, deltaByteArray, rleDictionary, byteStreamSplit
}

/// The compression of a column's pages.
enum PageCodec: Int {
    case uncompressed = 0
    case snappy, gzip, lzo, brotli, lz4, zstd, lz4Raw
}

/// The type of a page.
enum PageType: Int {
    case data = 0
    case index, dictionary, dataV2
}

/// The reason why a Parquet file cannot be read.
package enum ParquetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file cannot be read at all.
    case file(FileError)
    /// The file breaks the rules of the format.
    case invalid(String)
    /// The file needs something that Sluice does not support, or exceeds a limit.
    case unsupported(String)

    /// The rest of a sentence that begins with the name of the file.
    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .invalid(let reason): "is a damaged Parquet file: \(reason)"
        case .unsupported(let reason): "is an unsupported Parquet file: \(reason)"
        }
    }
}

/// A column of a Parquet file that ``ParquetWriter`` writes; every column may have missing values.
package struct ParquetColumn: Sendable, Hashable {
    /// The type of a column's values.
    package enum Kind: Sendable, Hashable {
        /// UTF-8 text.
        case text
        /// Bytes, stored without compression, because pictures are compressed already.
        case bytes
        /// A signed integer of 64 bits.
        case integer
        /// A floating-point number of 64 bits.
        case double
        case boolean
        /// A time in UTC, given in milliseconds since 1970.
        case timestamp
        case texts
    }

    package let name: String
    /// The group that has the column as a member; `nil` for a column of its own.
    package let group: String?
    /// The type of the values.
    package let kind: Kind

    /// Describes a column; the members of a group follow each other.
    package init(_ name: String, _ kind: Kind, in group: String? = nil) {
        (self.name, self.group, self.kind) = (name, group, kind)
    }
}

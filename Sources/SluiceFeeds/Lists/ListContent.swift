// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceParquet

/// Opens the bytes of a Parquet file.
typealias ParquetOpener = @Sendable () throws(FileError) -> any ParquetBytes

/// Where the bytes of a list come from.
enum ListContent: Sendable {
    /// A file or a pipe at a path, or standard input for `-`.
    case file(String)
    /// A text, which may be compressed.
    case text(ListOpener)
    case parquet(ParquetOpener)
}

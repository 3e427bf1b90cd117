// SPDX-License-Identifier: MIT

package import SluiceFiles

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

// SPDX-License-Identifier: MIT

internal import SluiceLedger

extension ManifestLines {
    /// Passes the lines added since the last call to `write`, and returns its answer: false to stop.
    mutating func flush(to write: ([UInt8]) -> Bool) -> Bool {
        defer { removeAll() }
        return write(bytes)
    }
}

// SPDX-License-Identifier: MIT

/// Something that holds the rows of a picture that a kernel reaches over, and makes target rows of them.
protocol RowScaling {
    /// Takes the next row.
    func receive(_ row: UnsafeBufferPointer<UInt8>)
    /// Whether all has come that a target row is made of.
    func isReady(for row: Int) -> Bool
    /// Makes a target row of bytes; there is room for `csluice_slack` more of them.
    func make(_ row: Int, into out: UnsafeMutablePointer<UInt8>)
}

// SPDX-License-Identifier: MIT

package import SluiceEngine
internal import SluiceLedger
internal import SluiceModel

extension PlannedWork {
    /// The photo's line in the manifest; `nil` for a file.
    package var manifestLine: [UInt8]? {
        guard case .photo(let item, let receipt) = self else { return nil }
        var lines = ManifestLines()
        lines.add(LedgerEntry(item: item, receipt: receipt))
        return lines.bytes
    }
}

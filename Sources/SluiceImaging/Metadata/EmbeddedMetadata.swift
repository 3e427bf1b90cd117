// SPDX-License-Identifier: MIT

/// Metadata to write into picture files, whose compressed pixels stay as they are.
package struct EmbeddedMetadata: Sendable {
    /// Returns the XMP packet for a file with this one or none; `nil` leaves the file's own.
    package var xmp: (@Sendable ([UInt8]?) -> [UInt8]?)?
    /// The IPTC record for files that have none; `nil` for no record.
    package var iptc: [UInt8]?

    package init() {}

    /// Returns the packet for a file, and whether the file changes.
    func packet(replacing old: [UInt8]?) -> [UInt8]? {
        guard let xmp, let new = xmp(old), new != old else { return nil }
        return new
    }
}

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

/// The creator and the copyright of an image, which a file may state in several places.
struct Credit: Sendable, Hashable {
    var artist: String?
    var copyright: String?

    /// Fills missing fields from `other`.
    mutating func complete(from other: Credit) {
        artist = artist ?? other.artist
        copyright = copyright ?? other.copyright
    }
}

extension ImageHeader {
    /// The byte ranges of XMP and IPTC data; they are read only if credits are requested.
    struct CreditLocations: Sendable, Hashable {
        var xmp: Range<Int>?
        var iptc: Range<Int>?
    }

    /// Reads the credit from XMP, and takes missing fields from IPTC.
    func readCredit(_ input: ImageInput) throws(ImagingError) -> Credit {
        var credit = Credit()
        if let range = creditLocations.xmp { credit = XMPPacket(try read(range, input)).credit }
        if let range = creditLocations.iptc { credit.complete(from: IPTCRecord(try read(range, input)).credit) }
        return credit
    }

    /// Reads a range, up to the size that any camera writes.
    private func read(_ range: Range<Int>, _ input: ImageInput) throws(ImagingError) -> [UInt8] {
        try input.read(at: range.lowerBound, count: min(range.count, EXIFBlock.maxBytes))
    }
}

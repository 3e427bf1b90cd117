// SPDX-License-Identifier: MIT

/// Finds out whether a JPEG has a gain map (Ultra HDR), a second picture from which displays make a brighter one.
///
/// The first picture is complete without it, so Sluice only notes that it is lost.
struct JPEGGainMap {
    /// Starts the segment that ISO 21496-1 defines.
    private static let standardName = "urn:iso:std:iso:ts:21496:-1\0"
    /// Names the XMP properties of earlier files, which tell the version beside a second picture.
    private static let earlierName = Array("http://ns.adobe.com/hdr-gain-map/1.0/".utf8)
    private static let xmpName = "http://ns.adobe.com/xap/1.0/\0"

    private var hasStandardSegment = false
    private var hasEarlierProperties = false
    private var hasSecondPicture = false

    var isPresent: Bool { hasStandardSegment || hasEarlierProperties && hasSecondPicture }

    /// Reads a segment before the first scan.
    mutating func read(_ segment: JPEGSegments.Segment, _ window: inout ByteWindow) throws(ImagingError) {
        if segment.marker == 0xE2 {
            if try window.content(segment.body, after: Self.standardName) != nil { hasStandardSegment = true }
            if try window.content(segment.body, after: "MPF\0") != nil { hasSecondPicture = true }
        } else if segment.marker == 0xE1, let text = try window.content(segment.body, after: Self.xmpName) {
            if try window.bytes(text).firstRange(of: Self.earlierName) != nil { hasEarlierProperties = true }
        }
    }
}

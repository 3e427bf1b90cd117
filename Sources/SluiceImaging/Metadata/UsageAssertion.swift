// SPDX-License-Identifier: MIT

/// A statement in a picture's file about mining it and training models with it, as its writer stated it.
package struct UsageAssertion: Sendable, Hashable {
    /// `iptc data-mining`, or the label of a C2PA assertion.
    package let name: String
    /// A term of the PLUS vocabulary, or the kinds of use with their permissions.
    package let value: String
}

extension UsageAssertion {
    /// Reads the header of an image file and the statements in it; none if it is invalid.
    public static func all(inFileAt descriptor: Int32) -> [UsageAssertion] {
        guard let input = try? ImageInput(descriptor: descriptor), let header = try? ImageHeader(of: input) else {
            return []
        }
        return header.usageAssertions(in: input)
    }
}

extension ImageHeader {
    func usageAssertions(in input: ImageInput) -> [UsageAssertion] {
        var found: [UsageAssertion] = []
        if let xmp = creditLocations.xmp, xmp.count <= EXIFBlock.maxBytes,
            let packet = try? input.read(at: xmp.lowerBound, count: xmp.count),
            let term = XMPPacket(packet).dataMining
        {
            found.append(UsageAssertion(name: "iptc data-mining", value: term))
        }
        guard let bytes = try? manifestBytes(in: input), !bytes.isEmpty else { return found }
        var store = ManifestStore(bytes)
        return found + ((try? store.trainingAssertions()) ?? [])
    }

    private func manifestBytes(in input: ImageInput) throws(ImagingError) -> [UInt8] {
        guard manifestRanges.reduce(0, { $0 + $1.count }) <= ManifestStore.maxBytes else { return [] }
        var bytes: [UInt8] = []
        for range in manifestRanges { bytes += try input.read(at: range.lowerBound, count: range.count) }
        return bytes
    }
}

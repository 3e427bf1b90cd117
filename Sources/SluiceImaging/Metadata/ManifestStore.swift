// SPDX-License-Identifier: MIT

/// A C2PA manifest store, which is a JUMBF box (ISO 19566-5), read without verifying its signatures.
struct ManifestStore {
    /// A superbox: its type, its label, and the range of the boxes in it.
    private struct Superbox {
        let type: [UInt8]
        let label: String
        let children: Range<Int>
    }

    /// The size above which a store is not read.
    static let maxBytes = 8 << 20
    private static let maxAssertions = 8
    private static let maxEntries = 12
    private static let maxAssertionBytes = 64 << 10
    /// The first bytes of the type of a manifest that only adds to an earlier one.
    private static let updateType = Array("c2um".utf8)
    /// The assertion of C2PA 1, and that of the Creator Assertions Working Group, which replaces it.
    private static let labels: Set = ["c2pa.training-mining", "cawg.training-mining"]

    private var window: ByteWindow

    init(_ bytes: [UInt8]) { window = ByteWindow(ImageInput(bytes)) }

    /// Returns the assertions about mining and training in the active manifest, which is the last one that describes
    /// the picture.
    mutating func trainingAssertions() throws(ImagingError) -> [UsageAssertion] {
        guard let store = try superboxes(in: 0..<window.count).first(where: { $0.label == "c2pa" }),
            let manifest = try superboxes(in: store.children).last(where: { !$0.type.starts(with: Self.updateType) }),
            let assertions = try superboxes(in: manifest.children).first(where: { $0.label == "c2pa.assertions" })
        else { return [] }
        var found: [UsageAssertion] = []
        for box in try superboxes(in: assertions.children) where found.count < Self.maxAssertions {
            // A number follows the label of further assertions of a kind.
            let label = box.label.split(separator: "__").first.map(String.init) ?? ""
            guard Self.labels.contains(label),
                let content = try Boxes.first("cbor", in: box.children, &window)?.content,
                content.count <= Self.maxAssertionBytes,
                let uses = Self.uses(in: CBORItem(parsing: try window.bytes(content)))
            else { continue }
            found.append(UsageAssertion(name: label, value: uses))
        }
        return found
    }

    /// Returns each kind of use with its permission, for example `c2pa.ai_training=notAllowed`.
    private static func uses(in assertion: CBORItem?) -> String? {
        // The first specification of the Creator Assertions Working Group omitted the member around the entries.
        guard case .map(let entries)? = assertion?["entries"] ?? assertion else { return nil }
        let uses = entries.compactMap { entry -> String? in
            guard case .text(let use)? = entry.value["use"] else { return nil }
            return "\(entry.key)=\(use)"
        }
        return uses.isEmpty ? nil : uses.prefix(maxEntries).joined(separator: ", ")
    }

    private mutating func superboxes(in range: Range<Int>) throws(ImagingError) -> [Superbox] {
        var (boxes, found) = (Boxes(in: range), [Superbox]())
        while let box = try boxes.next(in: &window) {
            guard box.type == "jumb" else { continue }
            var inner = Boxes(in: box.content)
            guard let description = try inner.next(in: &window), description.type == "jumd" else { continue }
            var fields = BoxFields(description.content)
            let type = Array(try fields.data(16, in: &window))
            let hasLabel = try fields.number(1, in: &window) & 2 != 0
            found.append(
                Superbox(
                    type: type, label: hasLabel ? try fields.text(in: &window) : "",
                    children: description.content.upperBound..<box.content.upperBound))
        }
        return found
    }
}

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

// SPDX-License-Identifier: MIT

/// The parts of a C2PA manifest store in the segments of a JPEG.
struct JPEGManifest {
    private static let maxParts = 1000
    private static let headBytes = 16

    private var parts: [(number: Int, range: Range<Int>)] = []
    /// The number of the box that has the store; a JPEG may have others.
    private var instance: Int?

    /// Adds a part if an APP11 segment has one.
    mutating func read(_ segment: JPEGSegments.Segment, _ window: inout ByteWindow) throws(ImagingError) {
        guard segment.marker == 0xEB, segment.body.count > Self.headBytes, parts.count < Self.maxParts,
            let body = try window.content(segment.body, after: "JP")
        else { return }
        let number = try window.uint32(at: body.lowerBound + 2)
        let box = try window.uint16(at: body.lowerBound)
        if instance == nil {
            // The first part has the box's type, and then its description with the type of a manifest store.
            let head = Array(try window.bytes(segment.body).prefix(32))
            guard head.count == 32, head[12..<16].elementsEqual("jumb".utf8), head[24..<28].elementsEqual("c2pa".utf8)
            else { return }
            instance = box
        }
        guard box == instance else { return }
        // Each further part repeats the head of the box.
        let skipped = number == 1 ? 6 : 14
        if skipped < body.count { parts.append((number, body.dropFirst(skipped))) }
    }

    /// The ranges of the store's bytes, in order.
    var ranges: [Range<Int>] { parts.sorted { $0.number < $1.number }.map(\.range) }
}

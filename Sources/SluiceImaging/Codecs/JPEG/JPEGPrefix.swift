// SPDX-License-Identifier: MIT

/// Finds the preview of a JPEG, or the first scans of a progressive one that suffice at the scale of its decode.
struct JPEGPrefix: PrefixFinding {
    /// The most bytes before the first scan.
    private static let maxHeaderBytes = 256 << 10
    private static let progressiveHuffman: UInt8 = 0xC2
    private static let sequentialHuffman: ClosedRange<UInt8> = 0xC0...0xC1

    private(set) var ending = JPEGSegments.endMarker
    private(set) var previewed: ImageInfo?
    private let goal: PrefixGoal
    private var stream = JPEGScanStream()
    private var coverage = JPEGCoverage()
    /// The bytes up to the first scan; empty after it.
    private var header: [UInt8] = []
    /// The scale of the decode; `nil` before the first scan.
    private var eighths: Int?
    /// Whether no prefix suffices, or none is known to.
    private var needsAll = false
    private(set) var count: Int?

    init(for goal: PrefixGoal) { self.goal = goal }

    mutating func receive(_ bytes: Span<UInt8>) {
        guard !needsAll, count == nil else { return }
        if eighths == nil {
            for index in 0..<min(bytes.count, Self.maxHeaderBytes - header.count) { header.append(bytes[index]) }
        }
        if header.count >= 2, !header.starts(with: [0xFF, 0xD8]) { return giveUp() }
        var parts: [JPEGScanStream.Part] = []
        stream.receive(bytes) { parts.append($0) }
        for part in parts where !needsAll && count == nil { read(part) }
        if eighths == nil, header.count == Self.maxHeaderBytes { giveUp() }
    }

    private mutating func read(_ part: JPEGScanStream.Part) {
        switch part {
        case .frame(let marker, let frame):
            let isProgressive = marker == Self.progressiveHuffman
            let mayHavePreview = goal.acceptsPreview && Self.sequentialHuffman.contains(marker)
            guard isProgressive || mayHavePreview else { return giveUp() }
            coverage.begin(frame, isProgressive: isProgressive)
        case .scan(let scan):
            if eighths == nil { readHeader() }
            coverage.add(scan)
        case .scanEnd(let offset): if let eighths, coverage.suffices(eighths: eighths) { count = offset }
        case .end: giveUp()
        }
    }

    /// Finds the preview, or chooses the scale at which the whole file would be decoded.
    private mutating func readHeader() {
        guard let photo = try? ImageHeader(of: ImageInput(header)), let size = try? goal.minimumSize(photo) else {
            return giveUp()
        }
        if goal.acceptsPreview, let preview = JPEGPreview(in: header, photo, minimumSize: size) {
            (count, ending, previewed) = (preview.metadataCount, preview.picture, photo.info)
        }
        eighths = JPEGDecoder.eighths(photo.info, minimumSize: size)
        header = []
        if eighths == 8 || !photo.info.isProgressive { giveUp() }
    }

    private mutating func giveUp() {
        needsAll = true
        header = []
    }
}

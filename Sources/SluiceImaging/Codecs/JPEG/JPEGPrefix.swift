// SPDX-License-Identifier: MIT

/// Finds the first scans of a progressive JPEG that suffice at the scale of its decode.
struct JPEGPrefix: PrefixFinding {
    /// The most bytes before the first scan.
    private static let maxHeaderBytes = 256 << 10
    private static let progressiveHuffman: UInt8 = 0xC2

    let ending = JPEGSegments.endMarker
    private let minimumSize: MinimumSize
    private var stream = JPEGScanStream()
    private var coverage = JPEGCoverage()
    /// The bytes up to the first scan; empty after it.
    private var header: [UInt8] = []
    /// The scale of the decode; `nil` before the first scan.
    private var eighths: Int?
    /// Whether no prefix suffices, or none is known to.
    private var needsAll = false
    private(set) var count: Int?

    init(minimumSize: @escaping MinimumSize) { self.minimumSize = minimumSize }

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
            if marker != Self.progressiveHuffman { giveUp() } else { coverage.begin(frame, isProgressive: true) }
        case .scan(let scan):
            if eighths == nil { chooseScale() }
            coverage.add(scan)
        case .scanEnd(let offset): if let eighths, coverage.suffices(eighths: eighths) { count = offset }
        case .end: giveUp()
        }
    }

    /// Chooses the scale at which the whole file would be decoded.
    private mutating func chooseScale() {
        guard let header = try? ImageHeader(of: ImageInput(header)),
            let size = try? minimumSize(header)
        else { return giveUp() }
        eighths = JPEGDecoder.eighths(header.info, minimumSize: size)
        self.header = []
        if eighths == 8 { giveUp() }
    }

    private mutating func giveUp() {
        needsAll = true
        header = []
    }
}

// SPDX-License-Identifier: MIT

/// The scans of a progressive JPEG, as far as their headers tell, and which of them a smaller picture does not need.
struct JPEGScans {
    /// One scan: some coefficients of some components.
    fileprivate struct Scan {
        /// Where in the file it lies, from its marker to the next one.
        let range: Range<Int>
        let components: [Int]
        /// Whether it holds the means of blocks, and nothing finer.
        let isOfMeans: Bool
        /// Whether it only adds the last bit to what scans before it told.
        let isLastBit: Bool
    }

    private var scans: [Scan] = []
    /// The components of which each pixel has its own sample, or nearly; the first of them is luma.
    private var finest: [Int] = []

    /// Walks all of a file; fails as `truncated` if it has no end.
    init(_ source: PictureBytes, watch: Watch) throws(ImagingError) {
        var window = ByteWindow(source, span: 65536)
        var segments = JPEGSegments()
        var segment = try segments.next(in: &window)
        while let current = segment {
            try watch.check()
            segment = try segments.next(in: &window)
            let end = segment.map { $0.body.lowerBound - 4 } ?? segments.offset - 1
            switch current.marker {
            case 0xC2, 0xCA: finest = Self.finest(of: try Array(window.bytes(current.body)))
            case 0xDA:
                let header = try Array(window.bytes(current.body))
                if let scan = Scan(header, at: current.body.lowerBound - 4..<end) { scans.append(scan) }
            default: break
            }
        }
    }

    /// Where those scans lie that have no say in a picture made at `eighths`/8 of the size.
    ///
    /// At an eighth each block becomes one pixel: its mean. Above that all scans have a say; what the last bits of luma
    /// say is 53 dB below the picture and half of the work, which is given up only for speed.
    func idle(eighths: Int, isFast: Bool) -> [Range<Int>] {
        scans.dropFirst().filter { scan in
            guard !scan.isOfMeans, scan.components.allSatisfy(finest.contains) else { return false }
            return eighths == 1 || (isFast && eighths < 8 && scan.isLastBit && scan.components == [finest.first])
        }.map(\.range)
    }

    /// Components that libjpeg makes no larger than luma when it makes the picture smaller.
    private static func finest(of frame: [UInt8]) -> [Int] {
        let components = stride(from: 6, to: frame.count - 2, by: 3).map { start in
            (id: Int(frame[start]), across: frame[start + 1] >> 4, down: frame[start + 1] & 15)
        }
        let across = components.map(\.across).max()
        let down = components.map(\.down).max()
        return components.filter { $0.across == across || $0.down == down }.map(\.id)
    }
}

extension JPEGScans.Scan {
    /// Reads a scan's header; `nil` if it is too short, which decoders will tell.
    fileprivate init?(_ header: [UInt8], at range: Range<Int>) {
        guard let count = header.first.map(Int.init), header.count >= 4 + 2 * count else { return nil }
        let (first, bits) = (header[1 + 2 * count], header[3 + 2 * count])
        self.init(
            range: range, components: (0..<count).map { Int(header[1 + 2 * $0]) }, isOfMeans: first == 0,
            isLastBit: bits == 0x10)
    }
}

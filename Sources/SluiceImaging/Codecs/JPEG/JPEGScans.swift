// SPDX-License-Identifier: MIT

/// The scans of a progressive JPEG, and which of them a smaller image does not need.
struct JPEGScans {
    /// One scan: some coefficients of some components.
    fileprivate struct Scan {
        /// The scan's bytes in the file, from its marker to the next one.
        let range: Range<Int>
        let components: [Int]
        /// Whether the scan holds only the DC coefficients, which are the means of blocks.
        let isDC: Bool
        /// Whether the scan only refines the last bit of coefficients from earlier scans.
        let refinesLastBit: Bool
    }

    private var scans: [Scan] = []
    /// The components without subsampling, or nearly so; the first of them is luma.
    private var fullResolutionIDs: [Int] = []

    /// Reads the whole file; throws `truncated` if it has no end marker.
    init(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) {
        var window = ByteWindow(input, span: 65536)
        var segments = JPEGSegments()
        var segment = try segments.next(in: &window)
        while let current = segment {
            try watchdog.check()
            segment = try segments.next(in: &window)
            let end = segment.map { $0.body.lowerBound - 4 } ?? segments.offset - 1
            switch current.marker {
            case 0xC2, 0xCA: fullResolutionIDs = Self.findFullResolutionIDs(of: try Array(window.bytes(current.body)))
            case 0xDA:
                let header = try Array(window.bytes(current.body))
                if let scan = Scan(header, at: current.body.lowerBound - 4..<end) { scans.append(scan) }
            default: break
            }
        }
    }

    /// Returns the byte ranges of the scans that do not affect an image decoded at `eighths`/8 of its size.
    ///
    /// At 1/8, each block becomes one pixel, which is its mean. At larger scales, every scan has an effect. The last
    /// bits of luma lie 53 dB below the image and take half of the decoding time, so they are skipped only for speed.
    func skippableRanges(eighths: Int, prefersSpeed: Bool) -> [Range<Int>] {
        scans.dropFirst().filter { scan in
            guard !scan.isDC, scan.components.allSatisfy(fullResolutionIDs.contains) else { return false }
            let isLastLumaBit = scan.refinesLastBit && scan.components == [fullResolutionIDs.first]
            return eighths == 1 || (prefersSpeed && eighths < 8 && isLastLumaBit)
        }.map(\.range)
    }

    /// Finds the components that libjpeg does not shrink below luma's size when it scales down.
    static func findFullResolutionIDs(of frame: [UInt8]) -> [Int] {
        let components = stride(from: 6, to: frame.count - 2, by: 3).map { start in
            (id: Int(frame[start]), across: frame[start + 1] >> 4, down: frame[start + 1] & 15)
        }
        let across = components.map(\.across).max()
        let down = components.map(\.down).max()
        return components.filter { $0.across == across || $0.down == down }.map(\.id)
    }
}

extension JPEGScans.Scan {
    /// Parses a scan's header; `nil` if it is too short, which the decoder will report.
    fileprivate init?(_ header: [UInt8], at range: Range<Int>) {
        guard let count = header.first.map(Int.init), header.count >= 4 + 2 * count else { return nil }
        let (first, bits) = (header[1 + 2 * count], header[3 + 2 * count])
        self.init(
            range: range, components: (0..<count).map { Int(header[1 + 2 * $0]) }, isDC: first == 0,
            refinesLastBit: bits == 0x10)
    }
}

// SPDX-License-Identifier: MIT

/// Finds the frame and the scans of a JPEG while its bytes arrive.
///
/// It finds the same segments as ``JPEGSegments``, and holds only the segment in progress.
struct JPEGScanStream {
    /// A part of the file.
    enum Part: Equatable {
        /// A frame header, with its marker.
        case frame(marker: UInt8, [UInt8])
        /// The header of a scan.
        case scan([UInt8])
        /// The pixels of the latest scan are complete, and other segments follow from this offset on.
        case scanEnd(Int)
        case end
    }

    private enum State {
        /// Between segments, or in the pixels of a scan.
        case outside
        /// After a byte that begins markers.
        case marker
        case length(UInt8)
        case secondLength(UInt8, Int)
        case body(UInt8, remaining: Int)
        case ended
    }

    private var state = State.outside
    private var offset = 0
    private var isInScan = false
    /// The segment in progress, if it is that of a frame or a scan.
    private var body: [UInt8] = []

    /// Reads the next bytes, and calls `found` with each part that they complete.
    mutating func receive(_ bytes: Span<UInt8>, _ found: (Part) -> Void) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .outside:
                while index < bytes.count, bytes[index] != 0xFF { index += 1 }
                if index < bytes.count { state = .marker }
                index += 1
            case .marker:
                read(marker: bytes[index], at: offset + index - 1, found)
                index += 1
            case .length(let marker):
                state = .secondLength(marker, Int(bytes[index]) << 8)
                index += 1
            case .secondLength(let marker, let high):
                index += 1
                state = .body(marker, remaining: max(0, high + Int(bytes[index - 1]) - 2))
                endBody(found)
            case .body(let marker, let remaining):
                let count = min(remaining, bytes.count - index)
                if Self.isHeader(marker) { for position in index..<index + count { body.append(bytes[position]) } }
                index += count
                state = .body(marker, remaining: remaining - count)
                endBody(found)
            case .ended: index = bytes.count
            }
        }
        offset += bytes.count
    }

    private mutating func read(marker: UInt8, at position: Int, _ found: (Part) -> Void) {
        switch marker {
        case 0xFF: return
        // Stuffed bytes, restart markers, and the start of the file.
        case 0x00, 0x01, 0xD0...0xD8: state = .outside
        default:
            let isEnd = marker == JPEGSegments.endMarker[1]
            if isEnd { found(.end) } else if isInScan { found(.scanEnd(position)) }
            isInScan = false
            state = isEnd ? .ended : .length(marker)
        }
    }

    /// Completes a segment of which no byte remains.
    private mutating func endBody(_ found: (Part) -> Void) {
        guard case .body(let marker, remaining: 0) = state else { return }
        isInScan = marker == 0xDA
        if Self.isHeader(marker) { found(isInScan ? .scan(body) : .frame(marker: marker, body)) }
        body = []
        state = .outside
    }

    /// Whether a segment is the header of a frame or a scan.
    private static func isHeader(_ marker: UInt8) -> Bool {
        marker == 0xDA || JPEGSegments.isFrame(Int(marker))
    }
}

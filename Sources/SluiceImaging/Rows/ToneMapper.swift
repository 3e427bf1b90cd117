// SPDX-License-Identifier: MIT

/// Converts a decoder's rows of high dynamic range to 8-bit sRGB and forwards them.
final class ToneMapper<Receiver: RowReceiving>: RowReceiving {
    private let receiver: Receiver
    private let map: ToneMap
    private var shape: RowShape?
    private var row = SampleBuffer<UInt8>(count: 0, zero: 0)

    init(_ range: HighDynamicRange, for receiver: Receiver) {
        (self.receiver, map) = (receiver, ToneMap(range))
    }

    func begin(_ shape: RowShape) throws(ImagingError) {
        self.shape = shape
        var mapped = shape
        mapped.depth = 8
        row = SampleBuffer(count: mapped.rowBytes, zero: 0)
        try receiver.begin(mapped)
    }

    func receive(_ row: Span<UInt8>) {
        guard let shape, row.count == shape.rowBytes else { return }
        unsafe row.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            if shape.depth == 16 {
                unsafe map.convert(
                    base.assumingMemoryBound(to: UInt16.self), shape.layout, pixels: shape.width, into: self.row.base)
            } else {
                unsafe map.convert(
                    base.assumingMemoryBound(to: UInt8.self), shape.layout, pixels: shape.width, into: self.row.base)
            }
        }
        self.row.withSpan(0..<self.row.count) { receiver.receive($0) }
    }
}

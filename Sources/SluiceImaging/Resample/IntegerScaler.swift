// SPDX-License-Identifier: MIT

internal import CSluice

/// Scales rows of 8-bit grey or RGB samples in integer arithmetic.
///
/// Each row is stored channel by channel, because the horizontal pass is fastest on adjacent samples. A ring buffer
/// holds as many recent rows as the filter needs, interleaved in pairs, which suits multiply-add instructions.
@safe final class IntegerScaler: RowScaling {
    private let width: Int
    private let channels: Int
    private let target: Int
    private let rows: FixedPointWeights
    private let columns: FixedPointWeights
    private let ring: SampleBuffer<UInt16>
    private let capacity: Int
    private let stride: Int
    private let combinedRow: SampleBuffer<Int16>
    private let scaledRow: SampleBuffer<UInt8>
    private var received = 0

    init(_ shape: RowShape, columns: AxisScaling, rows: AxisScaling) {
        width = shape.width
        channels = shape.layout.channels
        target = columns.axis.target
        self.columns = .cached(for: columns, paired: false)
        self.rows = .cached(for: rows, paired: true)
        let samples = width * channels
        let padding = csluice_padding
        stride = (samples + padding - 1) / padding * padding
        capacity = self.rows.taps / 2
        ring = SampleBuffer(count: stride * capacity, zero: 0)
        combinedRow = SampleBuffer(count: samples + self.columns.taps + padding, zero: 0)
        scaledRow = SampleBuffer(count: (target + padding) * channels, zero: 0)
    }

    func receive(_ row: UnsafeBufferPointer<UInt8>) {
        guard let samples = row.baseAddress else { return }
        let slot = unsafe ring.base + received / 2 % capacity * stride
        unsafe csluice_pair_row(slot, samples, width, Int32(channels), Int32(received % 2))
        received += 1
    }

    func isReady(for row: Int) -> Bool { rows.ends[row] <= received }

    func produce(_ row: Int, into out: UnsafeMutablePointer<UInt8>) {
        combineRows(for: row)
        guard channels == 3 else { return unsafe scaleHorizontally(combinedRow.base, into: out) }
        let planeStride = target + Int(csluice_padding)
        for channel in 0..<channels {
            unsafe scaleHorizontally(combinedRow.base + channel * width, into: scaledRow.base + channel * planeStride)
        }
        unsafe csluice_interleave_rgb(scaledRow.base, planeStride, out, target)
    }

    private func combineRows(for row: Int) {
        let slots = unsafe csluice_ring(rows: ring.base, stride: stride, capacity: capacity)
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let start = weights.baseAddress else { return }
            unsafe csluice_vertical_int(
                slots, Int(rows.firsts[row]), start + row * rows.taps, rows.counts[row], combinedRow.base,
                width * channels)
        }
    }

    private func scaleHorizontally(_ samples: UnsafePointer<Int16>, into out: UnsafeMutablePointer<UInt8>) {
        unsafe columns.firsts.withUnsafeBufferPointer { firsts in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                guard let firsts = firsts.baseAddress, let weights = weights.baseAddress else { return }
                unsafe csluice_horizontal_int(samples, firsts, weights, columns.taps, out, target)
            }
        }
    }
}

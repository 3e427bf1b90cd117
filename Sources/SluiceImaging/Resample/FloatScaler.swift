// SPDX-License-Identifier: MIT

internal import CSluice

/// Scales rows in floating point: 16-bit samples, images with alpha, CMYK, and linear light.
///
/// A ring buffer holds as many recent rows as the filter needs, as 16-bit samples. Pixels with alpha are premultiplied
/// so that transparent pixels do not affect visible ones. Products of two bytes are stored unrounded.
@safe final class FloatScaler: RowScaling {
    private let shape: RowShape
    private let target: Int
    private let rows: AxisWeights
    private let columns: AxisWeights
    private let ring: SampleBuffer<UInt16>
    private let capacity: Int
    private let stride: Int
    private let combinedRow: SampleBuffer<Float>
    private let scaledRow: SampleBuffer<Float>
    private var received = 0

    init(_ shape: RowShape, columns: AxisScaling, rows: AxisScaling) {
        let channels = shape.layout.channels
        self.shape = shape
        target = columns.axis.target
        self.columns = AxisWeights(columns, channels: channels)
        self.rows = AxisWeights(rows)
        let padding = csluice_padding
        stride = (shape.width * channels + padding - 1) / padding * padding
        capacity = self.rows.counts.max() ?? 1
        ring = SampleBuffer(count: stride * capacity, zero: 0)
        combinedRow = SampleBuffer(count: (shape.width + self.columns.taps) * channels + padding, zero: 0)
        scaledRow = SampleBuffer(count: target * channels + padding, zero: 0)
    }

    /// The value of a full sample in the ring buffer.
    private var peak: Float { shape.depth == 16 ? 65535 : 255 * 255 }

    func receive(_ row: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(row)
        let slot = unsafe ring.base + received % capacity * stride
        switch (shape.layout, shape.depth) {
        case (.rgba, 16): unsafe Self.multiplyWords(bytes, into: slot, pixels: shape.width)
        case (.rgba, _): unsafe Self.multiplyBytes(bytes, into: slot, pixels: shape.width)
        case (_, 16): unsafe UnsafeMutableRawBufferPointer(start: slot, count: bytes.count).copyMemory(from: bytes)
        default: for sample in 0..<bytes.count { unsafe slot[sample] = UInt16(bytes[sample]) &* 255 }
        }
        received += 1
    }

    func isReady(for row: Int) -> Bool { rows.end(of: row) <= received }

    func produce(_ row: Int, into out: UnsafeMutablePointer<UInt8>) {
        combineRows(for: row)
        scaleHorizontally()
        if let curves = shape.curves {
            unsafe curves.encode(
                scaledRow, into: UnsafeMutableBufferPointer(start: out, count: target * shape.layout.channels))
        } else if shape.layout == .rgba {
            unsafe csluice_unpremultiply_to_bytes(scaledRow.base, peak, out, target)
        } else {
            unsafe csluice_round_to_bytes(scaledRow.base, 255 / peak, out, target * shape.layout.channels)
        }
    }

    private func combineRows(for row: Int) {
        let slots = unsafe csluice_ring(rows: ring.base, stride: stride, capacity: capacity)
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let start = weights.baseAddress else { return }
            unsafe csluice_vertical_float(
                slots, Int(rows.firsts[row]), start + row * rows.taps, rows.counts[row], combinedRow.base,
                shape.width * shape.layout.channels)
        }
    }

    private func scaleHorizontally() {
        unsafe columns.firsts.withUnsafeBufferPointer { firsts in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                guard let firsts = firsts.baseAddress, let weights = weights.baseAddress else { return }
                unsafe csluice_horizontal_float(
                    combinedRow.base, firsts, weights, columns.taps, scaledRow.base, target,
                    Int32(shape.layout.channels))
            }
        }
    }

    private static func multiplyBytes(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt16>, pixels: Int
    ) {
        for pixel in 0..<pixels {
            let alpha = unsafe UInt16(source[pixel * 4 + 3])
            for channel in 0..<3 {
                unsafe target[pixel * 4 + channel] = UInt16(source[pixel * 4 + channel]) &* alpha
            }
            unsafe target[pixel * 4 + 3] = alpha &* 255
        }
    }

    private static func multiplyWords(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt16>, pixels: Int
    ) {
        let samples = unsafe source.assumingMemoryBound(to: UInt16.self)
        for pixel in 0..<pixels {
            let alpha = unsafe UInt32(samples[pixel * 4 + 3])
            for channel in 0..<3 {
                let product = unsafe UInt32(samples[pixel * 4 + channel]) &* alpha
                unsafe target[pixel * 4 + channel] = UInt16((product &+ 32767) / 65535)
            }
            unsafe target[pixel * 4 + 3] = UInt16(alpha)
        }
    }
}

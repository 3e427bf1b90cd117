// SPDX-License-Identifier: MIT

internal import CSluice

/// Scales whole pixels that come row by row: those of 16 bits, those with alpha, inks, and light.
///
/// The last few rows are held as 16 bits, as many as the kernel reaches over: deep ones as they are, and pixels with
/// alpha multiplied by it, so that what cannot be seen has no say in what can; products of two bytes are kept whole.
@safe final class PixelScaler: RowScaling {
    private let shape: RowShape
    private let target: Int
    private let rows: AxisWeights
    private let columns: AxisWeights
    private let memory: SampleBuffer<UInt16>
    private let capacity: Int
    private let stride: Int
    private let mixed: SampleBuffer<Float>
    private let narrowed: SampleBuffer<Float>
    private var received = 0

    init(_ shape: RowShape, columns: AxisScaling, rows: AxisScaling) {
        let channels = shape.layout.channels
        self.shape = shape
        target = columns.axis.target
        self.columns = AxisWeights(columns, channels: channels)
        self.rows = AxisWeights(rows)
        let slack = csluice_slack
        stride = (shape.width * channels + slack - 1) / slack * slack
        capacity = self.rows.counts.max() ?? 1
        memory = SampleBuffer(count: stride * capacity, zero: 0)
        mixed = SampleBuffer(count: (shape.width + self.columns.taps) * channels + slack, zero: 0)
        narrowed = SampleBuffer(count: target * channels + slack, zero: 0)
    }

    /// What stands for a full sample in a mixed row.
    private var peak: Float { shape.depth == 16 ? 65535 : 255 * 255 }

    func receive(_ row: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(row)
        let slot = unsafe memory.base + received % capacity * stride
        switch (shape.layout, shape.depth) {
        case (.rgba, 16): unsafe Self.multiplyWords(bytes, into: slot, pixels: shape.width)
        case (.rgba, _): unsafe Self.multiplyBytes(bytes, into: slot, pixels: shape.width)
        case (_, 16): unsafe UnsafeMutableRawBufferPointer(start: slot, count: bytes.count).copyMemory(from: bytes)
        default: for sample in 0..<bytes.count { unsafe slot[sample] = UInt16(bytes[sample]) &* 255 }
        }
        received += 1
    }

    func isReady(for row: Int) -> Bool { rows.end(of: row) <= received }

    func make(_ row: Int, into out: UnsafeMutablePointer<UInt8>) {
        mix(row)
        narrow()
        if let curves = shape.curves {
            unsafe curves.darken(
                narrowed, into: UnsafeMutableBufferPointer(start: out, count: target * shape.layout.channels))
        } else if shape.layout == .rgba {
            unsafe csluice_round_unmultiplied(narrowed.base, peak, out, target)
        } else {
            unsafe csluice_round_all(narrowed.base, 255 / peak, out, target * shape.layout.channels)
        }
    }

    private func mix(_ row: Int) {
        let ring = unsafe csluice_ring(rows: memory.base, stride: stride, capacity: capacity)
        unsafe rows.weights.withUnsafeBufferPointer { weights in
            guard let start = weights.baseAddress else { return }
            unsafe csluice_mix_words(
                ring, Int(rows.firsts[row]), start + row * rows.taps, rows.counts[row], mixed.base,
                shape.width * shape.layout.channels)
        }
    }

    private func narrow() {
        unsafe columns.firsts.withUnsafeBufferPointer { firsts in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                guard let firsts = firsts.baseAddress, let weights = weights.baseAddress else { return }
                unsafe csluice_mix_pixels(
                    mixed.base, firsts, weights, columns.taps, narrowed.base, target, Int32(shape.layout.channels))
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

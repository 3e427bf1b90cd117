// SPDX-License-Identifier: MIT

internal import CSluice

/// The last few rows of a picture, as many as the kernel reaches over, ready to be mixed.
///
/// Plain rows of 8 bits lie in pairs, which processors multiply and add at once. Other rows lie as 16 bits: deep ones
/// as they are, and pixels with alpha multiplied by it, so that what cannot be seen has no say in what can; the
/// products of two bytes are kept whole.
@safe struct RowRing: ~Copyable {
    private let shape: RowShape
    private let weights: AxisWeights
    private let pairWeights: PairWeights?
    private let memory: SampleBuffer<UInt32>
    private let capacity: Int
    /// The samples of one slot: whole vectors.
    private let stride: Int

    /// Makes a ring for rows of a shape, to be mixed with these weights.
    init(_ shape: RowShape, _ weights: AxisWeights) {
        self.shape = shape
        self.weights = weights
        stride = (shape.width * shape.layout.channels + csluice_slack - 1) / csluice_slack * csluice_slack
        if shape.depth == 8, shape.layout != .rgba {
            let pairs = PairWeights(weights)
            capacity = pairs.taps
            pairWeights = pairs
            memory = SampleBuffer(count: stride * capacity, zero: 0)
        } else {
            capacity = weights.counts.max() ?? 1
            pairWeights = nil
            memory = SampleBuffer(count: stride * capacity / 2, zero: 0)
        }
    }

    /// What stands for a full sample in a mixed row.
    var peak: Float {
        if pairWeights != nil { return Float(255 * PairWeights.one) }
        return shape.depth == 16 ? 65535 : 255 * 255
    }

    /// Puts row `number` in.
    func put(_ row: Span<UInt8>, number: Int) {
        unsafe row.withUnsafeBufferPointer { row in
            guard let samples = row.baseAddress else { return }
            if pairWeights != nil {
                let slot = unsafe memory.base + number / 2 % capacity * stride
                unsafe csluice_pair_row(slot, samples, row.count, Int32(number % 2))
            } else {
                let words = unsafe UnsafeMutableRawPointer(memory.base).assumingMemoryBound(to: UInt16.self)
                unsafe putWords(UnsafeRawBufferPointer(row), into: words + number % capacity * stride)
            }
        }
    }

    /// Mixes the rows that make row `target` into one.
    func mix(_ target: Int, into out: borrowing SampleBuffer<Float>) {
        let ring = unsafe csluice_ring(rows: memory.base, stride: stride, capacity: capacity)
        let count = shape.width * shape.layout.channels
        if let pairs = pairWeights {
            unsafe pairs.weights.withUnsafeBufferPointer { weights in
                guard let start = weights.baseAddress else { return }
                unsafe csluice_mix_pairs(
                    ring, pairs.firsts[target], start + target * pairs.taps * 2, pairs.counts[target], out.base, count)
            }
        } else {
            unsafe weights.weights.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                unsafe csluice_mix_words(
                    ring, Int(weights.firsts[target]), start + target * weights.taps, weights.counts[target], out.base,
                    count)
            }
        }
    }

    private func putWords(_ source: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt16>) {
        switch (shape.layout, shape.depth) {
        case (.rgba, 16): unsafe Self.multiplyWords(source, into: target, pixels: shape.width)
        case (.rgba, _): unsafe Self.multiplyBytes(source, into: target, pixels: shape.width)
        default: unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(from: source)
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

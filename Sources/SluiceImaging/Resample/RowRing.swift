// SPDX-License-Identifier: MIT

internal import CSluice

/// The last few rows of a picture, as many as the kernel reaches over, ready to be mixed.
///
/// Plain rows of 8 bits stay bytes. Pixels with alpha are multiplied by it, so that what cannot be seen has no say in
/// what can; the products of two bytes are kept whole in 16 bits.
@safe struct RowRing: ~Copyable {
    private let bytes: SampleBuffer<UInt8>
    private let stride: Int
    private let capacity: Int
    private let shape: RowShape
    private var isWide: Bool { shape.depth == 16 || shape.layout == .rgba }

    init(_ shape: RowShape, capacity: Int) {
        self.shape = shape
        self.capacity = capacity
        let slack = csluice_slack
        stride = (shape.width * shape.layout.channels + slack - 1) / slack * slack
        let sampleBytes = shape.depth == 16 || shape.layout == .rgba ? 2 : 1
        bytes = SampleBuffer(count: stride * capacity * sampleBytes, zero: 0)
    }

    /// What stands for a full sample in the rows.
    var peak: Float {
        shape.depth == 16 ? 65535 : shape.layout == .rgba ? 255 * 255 : 255
    }

    /// Puts row `number` in.
    func put(_ row: Span<UInt8>, number: Int) {
        let slot = number % capacity * stride
        unsafe row.withUnsafeBytes { source in
            guard isWide else {
                return unsafe UnsafeMutableRawBufferPointer(start: bytes.base + slot, count: source.count)
                    .copyMemory(from: source)
            }
            let target = unsafe UnsafeMutableRawPointer(bytes.base).assumingMemoryBound(to: UInt16.self) + slot
            switch (shape.layout, shape.depth) {
            case (.rgba, 16): unsafe Self.multiplyWords(source, into: target, pixels: shape.width)
            case (.rgba, _): unsafe Self.multiplyBytes(source, into: target, pixels: shape.width)
            default: unsafe UnsafeMutableRawBufferPointer(start: target, count: source.count).copyMemory(from: source)
            }
        }
    }

    /// Mixes the rows from `first` on into one.
    func mix(first: Int, weights: UnsafePointer<Float>, taps: Int, into out: borrowing SampleBuffer<Float>) {
        let ring = unsafe csluice_ring(rows: bytes.base, stride: stride, capacity: capacity)
        let count = shape.width * shape.layout.channels
        if isWide {
            unsafe csluice_mix_rows16(ring, first, weights, taps, out.base, count)
        } else {
            unsafe csluice_mix_rows8(ring, first, weights, taps, out.base, count)
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

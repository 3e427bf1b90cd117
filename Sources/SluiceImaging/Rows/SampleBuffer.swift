// SPDX-License-Identifier: MIT

/// Owns zero-initialized memory for samples.
///
/// Unlike an array, it never copies its contents implicitly.
@safe struct SampleBuffer<Sample: BitwiseCopyable>: ~Copyable {
    let base: UnsafeMutablePointer<Sample>
    let count: Int

    init(count: Int, zero: Sample) {
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: zero, count: count)
        self.count = count
    }

    deinit { unsafe base.deallocate() }

    /// Passes a range of the samples to `body`.
    func withSpan(_ range: Range<Int>, _ body: (Span<Sample>) -> Void) {
        precondition(range.upperBound <= count, "the range lies within the buffer")
        unsafe body(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count).span)
    }

    /// Passes all samples to `body` as bytes.
    func withBytes(_ body: (Span<UInt8>) -> Void) {
        let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count * MemoryLayout<Sample>.stride)
        unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// Copies samples to an offset.
    func copy(_ samples: Span<Sample>, to offset: Int) {
        precondition(offset >= 0 && offset + samples.count <= count, "the samples fit into the buffer")
        for index in samples.indices { unsafe base[offset + index] = samples[index] }
    }

    /// Sets all samples to one value.
    func fill(_ sample: Sample) {
        unsafe base.update(repeating: sample, count: count)
    }
}

// SPDX-License-Identifier: MIT

/// Memory for samples that starts as zeros; its owner frees it.
///
/// An array would be as good, were it not for the copies that it may make of itself behind a row's back.
@safe struct SampleBuffer<Sample: BitwiseCopyable>: ~Copyable {
    let base: UnsafeMutablePointer<Sample>
    let count: Int

    init(count: Int, zero: Sample) {
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: zero, count: count)
        self.count = count
    }

    deinit { unsafe base.deallocate() }

    /// Lends some of the samples.
    func withSpan(_ range: Range<Int>, _ body: (Span<Sample>) -> Void) {
        precondition(range.upperBound <= count, "the range lies within the buffer")
        unsafe body(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count).span)
    }

    /// Lends all samples as bytes.
    func withBytes(_ body: (Span<UInt8>) -> Void) {
        let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count * MemoryLayout<Sample>.stride)
        unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// Puts samples in.
    func copy(_ samples: Span<Sample>, to offset: Int) {
        precondition(offset >= 0 && offset + samples.count <= count, "the samples fit into the buffer")
        for index in samples.indices { unsafe base[offset + index] = samples[index] }
    }

    /// Makes all samples alike.
    func fill(_ sample: Sample) {
        unsafe base.update(repeating: sample, count: count)
    }
}

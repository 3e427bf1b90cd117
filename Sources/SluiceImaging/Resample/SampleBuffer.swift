// SPDX-License-Identifier: MIT

/// Memory for samples that starts as zeros; its owner frees it.
@safe struct SampleBuffer<Sample: BitwiseCopyable>: ~Copyable {
    let base: UnsafeMutablePointer<Sample>
    let count: Int

    init(count: Int, zero: Sample) {
        unsafe base = .allocate(capacity: count)
        unsafe base.initialize(repeating: zero, count: count)
        self.count = count
    }

    deinit { unsafe base.deallocate() }
}

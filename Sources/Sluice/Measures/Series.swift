// SPDX-License-Identifier: MIT

/// A run's samples in so many spans of the same length at most: when they would be more, every two become one.
struct Series: Sendable {
    private let most: Int
    private(set) var samples: [Sample] = []
    /// How many of the samples that come make one of these.
    private var step = 1
    private var joined = 0

    init(most: Int = 480) {
        precondition(most >= 2 && most.isMultiple(of: 2), "every two spans become one")
        self.most = most
    }

    mutating func add(_ sample: Sample) {
        if let last = samples.last, joined == 0, sample.length * Double(step) < last.length / 4 {
            // What is left at a run's end: so many in a moment are no rate.
            samples[samples.count - 1].join(sample)
            return
        }
        if joined == 0 { samples.append(sample) } else { samples[samples.count - 1].join(sample) }
        joined = (joined + 1) % step
        // Only between two whole spans, so that all stay equally long.
        if joined == 0, samples.count >= most { halve() }
    }

    private mutating func halve() {
        samples = stride(from: 0, to: samples.count - 1, by: 2).map { place in
            var sample = samples[place]
            sample.join(samples[place + 1])
            return sample
        }
        step *= 2
    }
}

// SPDX-License-Identifier: MIT

import SluiceBench

/// Measures benchmarks in rounds, each round in another order, so that a busy moment is nobody's alone.
struct Harness {
    /// Samples of each, and how long one takes at least.
    var samples = 11
    var time = Duration.milliseconds(40)

    /// The nanoseconds that one of each benchmark's units takes, in all samples.
    func run(_ benchmarks: [Benchmark]) async throws -> [Spread] {
        var repeats: [Int] = []
        for benchmark in benchmarks { repeats.append(try await warmUp(benchmark)) }
        var times = benchmarks.map { _ in [Double]() }
        for _ in 0..<samples {
            for place in benchmarks.indices.shuffled() {
                let taken = try await measure(benchmarks[place], repeats[place])
                times[place].append(taken / .nanoseconds(1) / Double(repeats[place] * benchmarks[place].count))
            }
        }
        return times.map { Spread($0) }
    }

    /// Runs it until a sample's time is over: how often that was is how often it runs for a sample.
    private func warmUp(_ benchmark: Benchmark) async throws -> Int {
        var repeats = 0
        let start = ContinuousClock.now
        repeat {
            try await benchmark.work()
            repeats += 1
        } while ContinuousClock.now - start < time
        return repeats
    }

    private func measure(_ benchmark: Benchmark, _ repeats: Int) async throws -> Duration {
        let start = ContinuousClock.now
        for _ in 0..<repeats { try await benchmark.work() }
        return ContinuousClock.now - start
    }
}

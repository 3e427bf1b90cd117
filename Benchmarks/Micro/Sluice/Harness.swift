// SPDX-License-Identifier: MIT

import SluiceBench

/// Measures benchmarks in rounds of random order, so that temporary load affects all of them alike.
struct Harness {
    /// The number of samples per benchmark.
    var samples = 11
    /// The minimum time of a sample.
    var time = Duration.milliseconds(40)

    /// Returns the statistics of each benchmark's time per unit, in nanoseconds.
    func run(_ benchmarks: [Benchmark]) async throws -> [SampleStatistics] {
        var repeats: [Int] = []
        for benchmark in benchmarks { repeats.append(try await warmUp(benchmark)) }
        var times = benchmarks.map { _ in [Double]() }
        for _ in 0..<samples {
            for index in benchmarks.indices.shuffled() {
                let elapsed = try await measure(benchmarks[index], repeats[index])
                times[index].append(elapsed / .nanoseconds(1) / Double(repeats[index] * benchmarks[index].count))
            }
        }
        return times.map { SampleStatistics($0) }
    }

    /// Runs each benchmark twice, the second time between marks, and prints its name and its units.
    func mark(_ benchmarks: [Benchmark]) async throws {
        for benchmark in benchmarks {
            try await benchmark.work()
            microMark()
            try await benchmark.work()
            microMark()
            print("\(benchmark.count) \(benchmark.name)")
        }
    }

    /// Runs a benchmark for the time of a sample, and returns the number of executions per sample.
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

/// A place that a profiler recognises.
@c(micro_mark) @_optimize(none) @inline(never)
public func microMark() {}

// SPDX-License-Identifier: MIT

// Measures a piece of each room's work, and prints a table in Markdown.
//
// Usage: micro FOLDER [--once] [WORD]
//
// FOLDER is for files under way; --once does each a single time, to see that all still work; WORD keeps those that have it
// in their name.

import SluiceBench

let place = CommandLine.arguments[1]
let words = CommandLine.arguments.dropFirst(2)
let isOnce = words.contains("--once")
let wanted = words.first { $0 != "--once" }

let rooms = [
    modelBenchmarks(), try feedBenchmarks(in: place), transferBenchmarks(), try imagingBenchmarks(),
    try ledgerBenchmarks(in: place), try galleryBenchmarks(in: place),
]
let benchmarks = rooms.flatMap { $0 }.filter { wanted.map($0.name.contains) ?? true }
let harness = isOnce ? Harness(samples: 1, time: .zero) : Harness()
let spreads = try await harness.run(benchmarks)

print("| | a second | ns each | ± | noise |\n|---|---:|---:|---:|---:|")
for (benchmark, spread) in zip(benchmarks, spreads) {
    let (rate, time) = (Int(1e9 / spread.median), Int(spread.median.rounded()))
    let half = Int(((spread.high - spread.low) / 2).rounded())
    let noise = Int((spread.noise * 100).rounded())
    print("| \(benchmark.name) | \(rate) \(benchmark.unit) | \(time) | \(half) | \(noise)% |")
}

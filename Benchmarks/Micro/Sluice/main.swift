// SPDX-License-Identifier: MIT

// Runs microbenchmarks of each module, and prints a Markdown table.
//
// Usage: micro FOLDER [--once | --marked] [WORD]
//
// FOLDER is for temporary files. --once runs each benchmark a single time, to check that it works. --marked runs each
// twice, with a call of `micro_mark` before and after the second time, and prints only the names. WORD selects the
// benchmarks with this word in their name.

import Glibc
import SluiceBench

let folder = CommandLine.arguments[1]
let arguments = CommandLine.arguments.dropFirst(2)
let isOnce = arguments.contains("--once")
let filter = arguments.first { !$0.hasPrefix("--") }

let groups = [
    modelBenchmarks(), try feedBenchmarks(in: folder), transferBenchmarks(), try imagingBenchmarks(),
    try parquetBenchmarks(in: folder), try ledgerBenchmarks(in: folder), try galleryBenchmarks(in: folder),
]
let benchmarks = groups.flatMap { $0 }.filter { filter.map($0.name.contains) ?? true }
if arguments.contains("--marked") {
    try await Harness().mark(benchmarks)
    exit(0)
}
let harness = isOnce ? Harness(samples: 1, time: .zero) : Harness()
let statistics = try await harness.run(benchmarks)

print("| | per second | ns each | ± | noise |\n|---|---:|---:|---:|---:|")
for (benchmark, result) in zip(benchmarks, statistics) {
    let (rate, time) = (Int(1e9 / result.median), Int(result.median.rounded()))
    let half = Int(((result.high - result.low) / 2).rounded())
    let noise = Int((result.noise * 100).rounded())
    print("| \(benchmark.name) | \(rate) \(benchmark.unit) | \(time) | \(half) | \(noise)% |")
}

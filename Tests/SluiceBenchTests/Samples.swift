// SPDX-License-Identifier: MIT

@testable import SluiceBench

/// Reports with known measurements.
enum Samples {
    /// Returns a sweep with two curves; `rates` are the samples for 1, 2 and 4 concurrent loads.
    static func report(_ rates: [[Double]] = [[10, 11, 9, 10, 10], [19, 20, 21, 20, 20], [21, 20, 22, 21, 21]])
        -> LoaderReport
    {
        let curves: [Int?] = [nil, 256]
        let points = curves.flatMap { side in
            zip([1, 2, 4], rates).map { concurrency, rates in
                LoaderPoint(
                    setting: LoaderSetting(
                        concurrency: concurrency, perHost: nil, http: "auto", thumbnails: side, workers: 2),
                    samples: rates.map { sample(rate: $0, width: concurrency) })
            }
        }
        return LoaderReport(
            host: BenchMachine(cores: 2, processor: "A <processor> & more", system: "Linux"), origin: OriginProfile(),
            addresses: nil, points: points)
    }

    private static func sample(rate: Double, width: Int) -> LoaderSample {
        var sample = LoaderSample()
        sample.seconds = 100 / rate
        sample.done = 100
        sample.bytes = 13_000_000
        sample.slotSeconds = sample.seconds * Double(width)
        sample.cpuSeconds = 0.5
        sample.peakMemory = 30_000_000
        sample.latency = LoaderSample.Latency(p50: 80, p90: 120, p99: 900, maximum: 2100)
        sample.origin = LoaderSample.OriginCost(requests: 100, connections: width, faults: 0, cpuSeconds: 0.2)
        return sample
    }
}

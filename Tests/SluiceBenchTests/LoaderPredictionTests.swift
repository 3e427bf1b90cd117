// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceBench

@Suite("Loader prediction", .timeLimit(.minutes(10))) struct LoaderPredictionTests {
    private var origin: OriginProfile {
        var origin = OriginProfile()
        origin.latency = .milliseconds(60)
        origin.jitter = .milliseconds(20)
        origin.bytes = 100_000
        origin.perConnection = 1_000_000
        origin.bandwidth = 10_000_000
        origin.images = 1000
        return origin
    }

    private func point(_ concurrency: Int, rate: Double, cpu: Double = 0, decoding: Double = 0) -> LoaderPoint {
        var sample = LoaderSample()
        sample.done = 100
        sample.seconds = 100 / rate
        sample.cpuSeconds = cpu
        sample.decodingSeconds = decoding
        sample.origin = LoaderSample.OriginCost(cpuSeconds: cpu)
        let setting = LoaderSetting(concurrency: concurrency, perHost: nil, http: "auto", workers: 2)
        return LoaderPoint(setting: setting, samples: [sample])
    }

    private func prediction(_ point: LoaderPoint) -> LoaderPrediction? {
        LoaderPrediction(point, origin: origin, cores: 2)
    }

    /// A load takes 60 ms + 20 ms / 2 + 100,000 / 1,000,000 s = 170 ms, and the bandwidth allows 100 images per second.
    @Test("The slots, then the bandwidth, limit the predicted rate")
    func network() throws {
        let four = try #require(prediction(point(4, rate: 20)))
        #expect(abs(four.rate - 4 / 0.17) < 1e-6 && four.limit == .slots)
        #expect(abs(four.ratio - 20 * 0.17 / 4) < 1e-6)
        let many = try #require(prediction(point(64, rate: 90)))
        #expect(abs(many.rate - 100) < 1e-6 && many.limit == .bandwidth && abs(many.ratio - 0.9) < 1e-6)
    }

    @Test("Measured CPU and decoding time limit the predicted rate")
    func machine() throws {
        // 2 x 2 s of CPU time for 100 images on 2 cores allow 50 images per second.
        let busy = try #require(prediction(point(64, rate: 40, cpu: 2)))
        #expect(abs(busy.rate - 50) < 1e-6 && busy.limit == .processors)
        // 8 s of decoding for 100 images on 2 workers allow 25 images per second.
        let decoding = try #require(prediction(point(64, rate: 20, cpu: 2, decoding: 8)))
        #expect(abs(decoding.rate - 25) < 1e-6 && decoding.limit == .decoding)
    }

    @Test("No more slots are used than there are images, and an adaptive concurrency has no prediction")
    func slots() throws {
        var origin = origin
        origin.images = 2
        let prediction = try #require(LoaderPrediction(point(8, rate: 10), origin: origin, cores: 2))
        #expect(abs(prediction.rate - 2 / 0.17) < 1e-6)
        var adaptive = point(8, rate: 10)
        adaptive.setting.adaptsFrom = 1
        #expect(self.prediction(adaptive) == nil)
    }

    /// 100,000 bytes are 70 packets, the last three of which cost 200 ms each if they are lost.
    @Test("Lost packets are part of a load's time")
    func loss() {
        var origin = origin
        origin.loss = 0.01
        #expect(abs(origin.lossSeconds - 0.01 * (67 * 0.06 + 3 * 0.2)) < 1e-9)
        #expect(abs(origin.secondsPerImage - 0.17 - origin.lossSeconds) < 1e-9)
    }

    @Test("Table, findings and JSON show the prediction")
    func report() throws {
        let report = LoaderReport(
            host: BenchMachine(cores: 2, processor: nil, system: "Linux"), origin: origin,
            points: [point(4, rate: 20), point(64, rate: 90)])
        let columns = ["images/s", "predicted", "ratio"].compactMap { report.table.head.firstIndex(of: $0) }
        #expect(
            report.table.rows.map { row in columns.map { row[$0] } } == [
                ["20.0", "23.5", "0.85"], ["90.0", "100", "0.90"],
            ])
        #expect(
            report.findings.first
                == "predicted: concurrency / 170 ms per load (60.0 ms latency + 10.0 ms jitter + 100 ms transfer), "
                + "at most 100 by the bandwidth")
    }
}

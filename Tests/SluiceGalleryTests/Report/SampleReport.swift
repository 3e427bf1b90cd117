// SPDX-License-Identifier: MIT

import SluiceModel

extension RunReport {
    /// A report of a run of three minutes with all parts filled; `words` appears wherever untrusted text can.
    static func sample(words: String = "demo") -> RunReport {
        var report = RunReport(
            start: RunStart(source: words, feed: words, folder: "out", width: 16), startedAt: 1_795_894_200)
        report.command = ["mirror", words]
        report.settings = [Setting("concurrency", "16"), Setting("variant", words)]
        report.hasGallery = true
        report.summary.done = 4870
        report.summary.kept = 12
        report.summary.failed = 31
        report.summary.skipped = 7
        report.summary.thumbs = 9740
        report.summary.bytesReceived = 642_000_000
        report.summary.thumbBytes = 61_000_000
        report.summary.causes = [.httpClientError(404): 19, .timeout: 9, .truncated: 3, .policy: 7]
        report.summary.duration = .seconds(184)
        report.timeline = (0..<184).map(Interval.sample)
        report.phases = ItemPhase.allCases.map {
            ($0, .sample(scale: Double($0.rawValue + 1) * Double($0.rawValue + 1)))
        }
        report.items = .sample(scale: 220)
        report.hosts = (1...20).map { number in
            var host = Host(name: number == 2 ? words : "images\(number).example.org")
            (host.done, host.bytes, host.failed) = (4000 / number, 520_000_000 / number / number, number % 3)
            return host
        }
        report.otherHosts = (count: 14, sum: Host(name: "*"))
        report.usage = UsageSummary(
            (1...25).map {
                (
                    host: $0 == 25 ? words : "images\($0).example.org", usage: "tdm-reservation: 1", photos: $0,
                    skipped: 1
                )
            })
        report.failures = [
            FailedItem(seq: 17, id: words, failure: Failure(.httpClientError(404), words)),
            FailedItem(seq: 29, id: "p29", failure: Failure(.truncated, "3 of 5 kB")),
        ]
        report.stages = [
            StageUtilization(name: "waiting for a page", mean: 0.08, peak: 1, capacity: 1),
            StageUtilization(name: "in progress", mean: 14.2, peak: 16, capacity: 16),
            StageUtilization(name: "waiting for a decoder", mean: 3.1, peak: 9.4, capacity: nil),
            StageUtilization(name: "decoding", mean: 1.7, peak: 2, capacity: 2),
        ]
        report.bottleneckSeconds = [.network: 103, .decode: 61, .feed: 12]
        report.finding = Finding(
            .network, share: 0.56,
            sentence: "The network limited the run for 56 % of the time: transfers used all 16 slots; "
                + "--concurrency 32 may be faster if the network has spare capacity.",
            flag: "--concurrency")
        report.cost.cpu = 241.4
        report.cost.cores = 2
        report.cost.peakMemory = 118_000_000
        report.cost.memoryBudget = 512 << 20
        report.versions = [LibraryVersion("Sluice", "0.1.0"), LibraryVersion("libcurl", "8.14.1")]
        return report
    }
}

extension RunReport.Interval {
    fileprivate static func sample(_ second: Int) -> RunReport.Interval {
        var interval = RunReport.Interval()
        (interval.begin, interval.length) = (Double(second), 1)
        let wave = Double((second * 37) % 23) / 23
        interval.done = second < 6 ? second * 4 : 22 + Int(wave * 10)
        interval.bytes = interval.done * 132_000
        interval.inFlight = min(16, Double(second) * 3 + wave)
        interval.waitingForSlot = second < 10 ? 0 : 12 + wave * 4
        interval.waitingForDecoder = second > 70 && second < 132 ? 3 + wave * 6 : wave
        interval.decoding = second > 70 && second < 132 ? 2 : 1 + wave / 2
        interval.awaitingCommit = wave * 8
        interval.bottleneck = second < 8 ? .feed : second > 70 && second < 132 ? .decode : .network
        return interval
    }
}

extension Histogram {
    fileprivate static func sample(scale: Double) -> Histogram {
        var histogram = Histogram()
        for number in 1...500 {
            histogram.count(.microseconds(Int64(scale * Double(number) * (number > 480 ? 60 : 2))))
        }
        return histogram
    }
}

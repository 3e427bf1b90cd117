// SPDX-License-Identifier: MIT

import Testing

@testable import Sluice

@Suite("Forecasts", .timeLimit(.minutes(10))) struct ForecastTests {
    private func host(
        _ name: String, photos: Int = 100, sizes: [Int] = [900, 1000, 1100, 1000], seconds: Double = 1,
        connections: Int = 5, interval: Double? = nil
    ) -> Forecast.Host {
        Forecast.Host(
            name: name, photos: photos, sizes: sizes, seconds: seconds, failures: 0, connections: connections,
            interval: interval)
    }

    private func forecast(
        _ hosts: [Forecast.Host], pages: Int = 1, concurrency: Int = 10, bandwidth: Int? = nil
    ) -> Forecast {
        Forecast(
            hosts: hosts, photos: hosts.reduce(0) { $0 + $1.photos }, hasMore: false, pages: pages, secondsPerPage: 2,
            concurrency: concurrency, bandwidth: bandwidth, failure: nil)
    }

    @Test("The slowest limit decides the time")
    func limits() {
        let connections = forecast([host("a"), host("b", photos: 10)]).time
        #expect(connections.seconds == 20 && connections.limit == .connections("a"))
        let rate = forecast([host("a"), host("b", photos: 30, interval: 1)]).time
        #expect(rate.seconds == 30 && rate.limit == .rate("b"))
        let concurrency = forecast([host("a"), host("b"), host("c"), host("d")], concurrency: 10).time
        #expect(concurrency.seconds == 40 && concurrency.limit == .concurrency)
        let bandwidth = forecast([host("a")], bandwidth: 1000).time
        #expect(bandwidth.seconds == 100 && bandwidth.limit == .bandwidth)
        let pages = forecast([host("a")], pages: 50).time
        #expect(pages.seconds == 100 && pages.limit == .pages)
    }

    @Test("The range of bytes is narrow for equal photos, wide for different ones, and none for a complete sample")
    func ranges() {
        #expect(forecast([host("a", sizes: [1000, 1000, 1000])]).bytesRange == 100_000...100_000)
        let mixed = forecast([host("a", sizes: [100, 1900, 1000, 1000])]).bytesRange
        #expect(mixed.lowerBound < 40_000 && mixed.upperBound > 160_000)
        #expect(forecast([host("a", photos: 4, sizes: [1, 2, 3, 4])]).bytesRange == 10...10)
        // Two photos say little about a hundred.
        #expect(forecast([host("a", sizes: [1000, 1000])]).bytesRange == 0...200_000)
        #expect(forecast([host("a", photos: 7), host("b")], pages: 3).requests == 112)
    }
}

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Console {
    /// Prints an estimate of what `mirror` would take, and passes it to `use`.
    func forecast(_ mirror: PhotoMirror, isJSON: Bool, _ use: (Forecast) -> Void) async -> ExitCode {
        let signals = SignalHandler(onFirst: { mirror.stop(.signal($0)) }, beforeExit: {})
        defer { signals.stop() }
        do throws(MirrorError) {
            let forecast = try await mirror.forecast()
            if let code = out.exitCode ?? signals.exitCode { return code }
            use(forecast)
            show(forecast, isJSON: isJSON)
            return forecast.hosts.contains { !$0.sizes.isEmpty } ? .done : .itemsFailed
        } catch {
            return fail(error)
        }
    }

    private func show(_ forecast: Forecast, isJSON: Bool) {
        var table = TextTable(head: ["HOST", "PHOTOS", "BYTES", "TIME", "SAMPLE"], rightColumns: [1, 2, 3])
        for host in forecast.hosts {
            let sample = host.sizes.isEmpty ? "none" : "\(counted(host.sizes.count, "photo"))"
            let failed = host.failures > 0 ? ", \(host.failures) failed" : ""
            table.rows.append([
                escaped(host.name), "\(host.photos)", byteText(Int(rounding: host.bytes)),
                timeText(.seconds(host.time.seconds)), sample + failed,
            ])
        }
        if isJSON { out.write(forecast.json) } else { print(table) }
        if let failure = forecast.failure { printError("the sample is incomplete: \(escaped(failure))") }
        for line in forecast.lines { printMessage(line) }
    }
}

extension Forecast {
    fileprivate var lines: [String] {
        let (low, high) = (
            byteText(Int(rounding: bytesRange.lowerBound)), byteText(Int(rounding: bytesRange.upperBound))
        )
        let size = low == high ? low : "\(byteText(Int(rounding: bytes))) (\(low) to \(high))"
        let atLeast = hasMore ? "at least " : ""
        let (seconds, limit) = time
        let first =
            "forecast: \(atLeast)\(counted(photos, "photo")), \(size), \(counted(requests, "request")), about "
            + "\(timeText(.seconds(seconds))); limited by \(limit.text)"
        let unknown =
            hasMore ? ["the source does not state how many photos it has; only its first pages are counted"] : []
        return [first] + unknown + ["decoding, and photos that the mirror already has, are not considered"]
    }
}

extension Forecast {
    fileprivate var json: [UInt8] {
        JSONEventWriter.line("forecast") { object in
            object.member("photos", photos)
            object.member("has_more", hasMore)
            object.member("bytes", Int(rounding: bytes))
            object.member("bytes_low", Int(rounding: bytesRange.lowerBound))
            object.member("bytes_high", Int(rounding: bytesRange.upperBound))
            object.member("requests", requests)
            object.member("seconds", Int(rounding: time.seconds, .up))
            object.member("limit", time.limit.text)
            object.array("hosts") { list in
                for host in hosts { list.object { host.write(to: &$0) } }
            }
        }
    }
}

extension Forecast.Host {
    fileprivate func write(to object: inout JSONWriter) {
        object.member("host", name)
        object.member("photos", photos)
        object.member("bytes", Int(rounding: bytes))
        object.member("seconds", Int(rounding: time.seconds, .up))
        object.member("sampled", sizes.count)
        object.member("failed", failures)
    }
}

extension Forecast.Limit {
    fileprivate var text: String {
        switch self {
        case .rate(let host): "the rate of requests to \(escaped(host))"
        case .connections(let host): "the concurrent downloads from \(escaped(host)) (--per-host)"
        case .concurrency: "the concurrent downloads (--concurrency)"
        case .bandwidth: "the bandwidth (--bandwidth)"
        case .pages: "the pages of the source"
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Loads all images once, in a process of its own so that the process's cost is the loader's cost.
struct SampleRunner {
    let job: SampleJob

    init(_ job: SampleJob) { self.job = job }

    /// Takes the sample, and removes the loaded files from the folder.
    func run() async throws -> LoaderSample {
        let folder = try Folder(job.folder)
        let workers = job.setting.thumbnails.map { ThumbnailWorkers(side: $0, workers: job.setting.workers) }
        let tally = LoaderTally()
        let loader = try Loader(
            into: job.folder, width: job.setting.concurrency,
            adaptingFrom: job.setting.adaptsFrom, hosts: hosts, options: try options,
            flushing: false
        ) { event in
            if let name = tally.record(event) { workers?.add("\(job.folder)/\(name)") }
        }
        let start = ContinuousClock.now
        for (number, request) in requests.enumerated() {
            guard ContinuousClock.now - start < job.maximumSampleTime else { break }
            await loader.load(request, as: "\(number)")
        }
        await loader.waitUntilIdle()
        let decoding = await workers?.finish() ?? ThumbnailWorkers.Report()
        let time = ContinuousClock.now - start
        // Interrupted transfers leave partial files, which the next sample must not resume.
        for name in try folder.names() { try folder.remove(name) }
        return tally.sample(of: time, decoding)
    }

    private var requests: [Request] {
        switch job.source {
        case .origin(let port, let count):
            return (0..<count).map { request("http://127.0.0.1:\(port)/\($0).jpg") }
        case .addresses(let addresses): return addresses.map { request($0) }
        }
    }

    private func request(_ url: String) -> Request {
        var request = Request(url)
        if usesThirdPartyHosts {
            request.respectsRobotsTxt = true
            request.respectsOptOut = true
        }
        return request
    }

    private var hosts: HostRules {
        var rules = HostRules(perHost: job.setting.width)
        // The faults of the built-in origin must not pause it.
        if !usesThirdPartyHosts { (rules.failureLimit, rules.outageLimit) = (.max, .max) }
        return rules
    }

    private var usesThirdPartyHosts: Bool {
        if case .addresses = job.source { true } else { false }
    }

    private var options: TransferOptions {
        get throws(BenchError) {
            guard let http = HTTPVersion(rawValue: job.setting.http) else {
                throw BenchError(.usage, "unknown HTTP version '\(job.setting.http)'")
            }
            var options = TransferOptions(userAgent: "Sluice-bench/1 (measures its own loader)")
            options.http = http
            options.connections = max(64, job.setting.concurrency)
            options.firstByteTimeout = job.timeout
            options.minimumSpeedTime = max(job.timeout, .seconds(1))
            options.retry.retries = job.retries
            if case .origin(let port, _) = job.source {
                options.addressGuard.allowsPrivate = true
                options.addressGuard.ports = [port]
            }
            return options
        }
    }
}

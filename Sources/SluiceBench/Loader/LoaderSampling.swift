// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Loads all pictures once, in the process that does nothing else, so that its cost is the loader's own.
struct LoaderSampling {
    let order: SampleOrder

    init(_ order: SampleOrder) { self.order = order }

    /// What it cost; the folder is empty again behind it.
    func run() async throws -> LoaderSample {
        let folder = try Folder(order.folder)
        let decoding = order.setting.thumbnails.map { Decoding(side: $0, workers: order.setting.workers) }
        let tally = LoaderTally()
        let loader = try Loader(
            into: order.folder, width: order.setting.concurrency,
            adaptingFrom: order.setting.adaptsFrom, hosts: hosts, options: try options,
            flushing: false
        ) { event in
            if let name = tally.record(event) { decoding?.take("\(order.folder)/\(name)") }
        }
        let start = ContinuousClock.now
        for (number, request) in requests.enumerated() {
            guard ContinuousClock.now - start < order.longest else { break }
            await loader.load(request, as: "\(number)")
        }
        await loader.drained()
        let undecoded = await decoding?.drained() ?? Decoding.Report()
        let time = ContinuousClock.now - start
        // What a transfer that broke off has left is of no use to the next sample.
        for name in try folder.names() { try folder.remove(name) }
        return tally.sample(of: time, undecoded)
    }

    private var requests: [Request] {
        switch order.source {
        case .origin(let port, let count):
            return (0..<count).map { request("http://127.0.0.1:\(port)/\($0).jpg") }
        case .replay(_, let hosts):
            return hosts.enumerated().map { request("http://\(Self.name(ofHost: $1))/\($0).jpg") }
        case .addresses(let addresses): return addresses.map { request($0) }
        }
    }

    private func request(_ url: String) -> Request {
        var request = Request(url)
        if isOfStrangers {
            request.keepsToRobots = true
            request.honoursOptOut = true
        }
        return request
    }

    private var hosts: HostRules {
        var rules = HostRules(perHost: order.setting.width)
        // Faults that were asked for are no reason to leave our own origin alone.
        if !isOfStrangers { rules.patience = .max }
        return rules
    }

    private var isOfStrangers: Bool {
        if case .addresses = order.source { true } else { false }
    }

    /// What a recorded host is called: the origin's port answers for all of them.
    private static func name(ofHost number: Int) -> String { "h\(number).replay.test" }

    private var options: TransferOptions {
        get throws(BenchError) {
            guard let http = HTTPVersion(rawValue: order.setting.http) else {
                throw BenchError(.usage, "there is no HTTP version `\(order.setting.http)`")
            }
            var options = TransferOptions(userAgent: "Sluice-bench/1 (measures its own loader)")
            options.http = http
            options.connections = max(64, order.setting.concurrency)
            options.firstByteTimeout = order.timeout
            options.leastSpeedTime = max(order.timeout, .seconds(1))
            options.retry.retries = order.retries
            switch order.source {
            case .origin(let port, _):
                options.addressGuard.allowsPrivate = true
                options.addressGuard.ports = [port]
            case .replay(let port, let hosts):
                for host in Set(hosts) { options.loopback[Self.name(ofHost: host)] = UInt16(port) }
            case .addresses: options.proxies = ProxyRules()
            }
            return options
        }
    }
}

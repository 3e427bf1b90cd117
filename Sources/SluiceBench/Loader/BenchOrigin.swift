// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// The origin server of a sweep; it runs in a helper process.
final class BenchOrigin: Sendable {
    private let origin: OriginServer
    private let log = Locked<[(time: ContinuousClock.Instant, path: String)]>([])
    private let start = ContinuousClock.now

    /// Starts serving the photos of the ``OriginProfile`` that a job describes.
    ///
    /// With `log`, the status has the time and the path of each request.
    init(_ job: JSON) throws {
        var options = OriginOptions()
        options.logLimit = 0
        options.threads = 2
        let profile = try OriginProfile(job)
        Self.apply(profile, to: &options)
        if let host = job["host"]?.text { options.host = host }
        let photos = try PhotoSet(count: profile.images, bytes: profile.bytes, seed: profile.seed)
        var record: (@Sendable (String) -> Void)?
        if job["log"] == .bool(true) {
            record = { [log] path in log.withLock { $0.append((.now, path)) } }
        }
        origin = try OriginServer(PhotoService(photos: photos, record: record), options: options)
    }

    private static func apply(_ profile: OriginProfile, to options: inout OriginOptions) {
        options.latency = profile.latency
        options.jitter = profile.jitter
        options.bandwidth = profile.perConnection
        options.sharedBandwidth = profile.bandwidth
        options.loss = profile.loss
        options.faults = profile.faults.enumerated().map { index, fault in
            let seed = UInt64(truncatingIfNeeded: profile.seed &+ index)
            return OriginFaultRule(fault.kind.fault(bytes: profile.bytes), .fraction(fault.share, seed: seed))
        }
    }

    /// The status as a line of JSON: the port, the counters and the CPU time so far.
    var statusLine: [UInt8] {
        let statistics = origin.statistics
        var json = JSONWriter()
        json.object { json in
            json.member("port", Int(origin.port))
            json.member("requests", statistics.requests)
            json.member("connections", statistics.connections)
            json.member("peak_connections", statistics.peakConnections)
            json.member("peak_requests", statistics.peakRequests)
            json.member("faults", statistics.faults)
            json.member("cpu_ms", decimal: ProcessUsage.cpu * 1000)
            let log = log.withLock { $0 }
            guard !log.isEmpty else { return }
            json.array("log") { list in
                for entry in log {
                    list.value("\(Int((entry.time - start) / .milliseconds(1))) \(entry.path)")
                }
            }
        }
        return json.bytes
    }

    func stop() { origin.stop() }
}

/// Serves the photos of a set by number, for example `/12.jpg`.
private struct PhotoService: OriginService {
    let photos: PhotoSet
    let record: (@Sendable (String) -> Void)?

    func reply(to request: OriginRequest) -> OriginReply {
        record?(request.path)
        let name = request.path.dropFirst()
        guard name.hasSuffix(".jpg"), let number = Int(name.dropLast(4)), let file = photos.file(number) else {
            return .text("no such photo\n", status: 404)
        }
        let tag = OriginHeader("ETag", "\"\(number)\"")
        return OriginReply(type: "image/jpeg", file, headers: [tag]).applyingConditions(of: request)
    }
}

extension BenchFault.Kind {
    fileprivate func fault(bytes: Int) -> OriginFault {
        switch self {
        case .timeout: .hang
        case .stall: .stall(afterBytes: bytes / 2)
        case .cut: .cut(afterBytes: bytes / 2)
        case .close: .close
        case .unavailable: .status(503)
        case .tooMany: .status(429)
        case .missing: .status(404)
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// The origin server of a sweep; it runs in a helper process.
final class BenchOrigin: Sendable {
    private let origin: OriginServer

    /// Starts serving the photos that a job describes: recorded ones, or those of an ``OriginProfile``.
    init(_ job: JSON) throws {
        var options = OriginOptions()
        options.logLimit = 0
        options.threads = 2
        if let recorded = job["photos"]?.elements {
            let photos = try recorded.map { try Recording.Photo($0) }
            options.sharedBandwidth = job["bandwidth"]?.integer
            origin = try OriginServer(ReplayService(photos, seed: try job.count("seed")), options: options)
        } else {
            let profile = try OriginProfile(job)
            Self.apply(profile, to: &options)
            let photos = try PhotoSet(count: profile.images, bytes: profile.bytes, seed: profile.seed)
            origin = try OriginServer(PhotoService(photos: photos), options: options)
        }
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
            json.member("faults", statistics.faults)
            json.member("cpu_ms", decimal: ProcessUsage.cpu * 1000)
        }
        return json.bytes
    }

    func stop() { origin.stop() }
}

/// Serves the photos of a set by number, for example `/12.jpg`.
private struct PhotoService: OriginService {
    let photos: PhotoSet

    func reply(to request: OriginRequest) -> OriginReply {
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

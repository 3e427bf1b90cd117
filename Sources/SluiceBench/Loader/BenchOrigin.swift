// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// The origin of a sweep, in the process that is nothing else.
final class BenchOrigin: Sendable {
    private let origin: Origin

    /// Serves what the order's line describes: recorded photos, or a model's.
    init(_ order: JSON) throws {
        var options = OriginOptions()
        options.logLimit = 0
        options.threads = 2
        if let recorded = order["photos"]?.elements {
            let photos = try recorded.map { try Recording.Photo($0) }
            options.sharedBandwidth = order["bandwidth"]?.integer
            origin = try Origin(ReplayService(photos, seed: try order.count("seed")), options: options)
        } else {
            let model = try OriginModel(order)
            Self.apply(model, to: &options)
            let photos = try PhotoSet(count: model.images, bytes: model.bytes, seed: model.seed)
            origin = try Origin(PhotoService(photos: photos), options: options)
        }
    }

    private static func apply(_ model: OriginModel, to options: inout OriginOptions) {
        options.latency = model.latency
        options.jitter = model.jitter
        options.bandwidth = model.perConnection
        options.sharedBandwidth = model.bandwidth
        options.loss = model.loss
        options.faults = model.faults.enumerated().map { place, fault in
            let seed = UInt64(truncatingIfNeeded: model.seed &+ place)
            return OriginFaultRule(fault.kind.fault(bytes: model.bytes), .fraction(fault.share, seed: seed))
        }
    }

    /// A line that tells where it is, and what it was asked for and took so far.
    var answer: [UInt8] {
        let statistics = origin.statistics
        var json = JSONWriter()
        json.object { json in
            json.member("port", Int(origin.port))
            json.member("requests", statistics.requests)
            json.member("connections", statistics.connections)
            json.member("faults", statistics.faults)
            json.member("cpu_ms", decimal: OwnCost.cpu * 1000)
        }
        return json.bytes
    }

    func stop() { origin.stop() }
}

/// The pictures by their number: `/12.jpg`.
private struct PhotoService: OriginService {
    let photos: PhotoSet

    func reply(to request: OriginRequest) -> OriginReply {
        let name = request.path.dropFirst()
        guard name.hasSuffix(".jpg"), let number = Int(name.dropLast(4)), let file = photos.file(number) else {
            return .text("no such picture\n", status: 404)
        }
        let tag = OriginHeader("ETag", "\"\(number)\"")
        return OriginReply(type: "image/jpeg", file, headers: [tag]).obeying(request)
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

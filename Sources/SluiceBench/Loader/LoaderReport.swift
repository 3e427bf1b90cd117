// SPDX-License-Identifier: MIT

/// What a sweep found, and what can be said of it.
public struct LoaderReport: Sendable, Hashable {
    /// The machine.
    public var host: Host
    /// The origin that was loaded from, if it was ours.
    public var origin: OriginModel?
    /// The run that was played again in its place.
    public var recorded: RecordedCourse?
    /// What all connections of that replay carried together at most; `nil` for no bound.
    public var replayedBandwidth: Int?
    /// How many addresses were loaded in its place.
    public var addresses: Int?
    /// Every setting with its samples.
    public var points: [LoaderPoint]

    /// Points that differ in nothing but their concurrency, which stays, by places, in the order of it.
    public var curves: [[Int]] {
        var curves: [(setting: LoaderSetting, places: [Int])] = []
        for place in points.indices where points[place].setting.adaptsFrom == nil {
            let setting = points[place].setting.with(concurrency: 1)
            if let known = curves.firstIndex(where: { $0.setting == setting }) {
                curves[known].places.append(place)
            } else {
                curves.append((setting, [place]))
            }
        }
        return curves.map { curve in
            curve.places.sorted { points[$0].setting.concurrency < points[$1].setting.concurrency }
        }
    }

    /// The place of the point where a curve bends; `nil` where it has one point only.
    public func knee(of curve: [Int]) -> Int? {
        guard curve.count > 1 else { return nil }
        return Knee.index(of: curve.map { points[$0].rate.median }).map { curve[$0] }
    }

    /// The place of the best point of all: of those that cannot be told from the fastest, the narrowest.
    public var best: Int? {
        let order = points.indices.filter { points[$0].setting.adaptsFrom == nil }.sorted {
            points[$0].setting.concurrency < points[$1].setting.concurrency
        }
        return Knee.best(of: order.map { points[$0].rate }).map { order[$0] }
    }

    /// The points that find their concurrency by themselves, each with the place of the fastest that does not and is like it
    /// in everything else.
    var adapting: [(point: LoaderPoint, fastest: Int?)] {
        points.filter { $0.setting.adaptsFrom != nil }.map { point in
            let curve = curves.first {
                points[$0[0]].setting.with(concurrency: 1) == point.setting.with(concurrency: 1)
            }
            return (point, curve?.max { points[$0].rate.median < points[$1].rate.median })
        }
    }

    /// How much of what there is a point used.
    public func use(of point: LoaderPoint) -> Use {
        point.use(cores: host.cores, bandwidth: origin?.bandwidth ?? replayedBandwidth, hosts: recorded?.hosts ?? 1)
    }

    /// What keeps a point from being faster.
    public func limit(of point: LoaderPoint) -> Limit {
        // What the slots were busy with beyond the usual time of what arrived, where something went wrong at all.
        let lost = point.middle { sample in
            guard sample.retries + sample.failed > 0, sample.busy > 0 else { return 0 }
            return 1 - Double(sample.done) * sample.latency.p50 / 1000 / sample.busy
        }
        return Limit(
            use(of: point), latency: point.middle(\.latency.p50) / 1000,
            alone: origin?.timeOfOne ?? recorded?.timeOfOne, lost: lost)
    }

    /// What makes figures doubtful, in whole sentences.
    public var doubts: [String] {
        let settings = points.map(\.setting)
        return points.flatMap { $0.rate.doubts(of: $0.setting.label(among: settings)) }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceImaging
public import SluiceModel

/// How fast pictures were made of pictures.
public struct ImagingReport: Sendable, Hashable {
    /// The machine.
    public var host: Host
    /// The thumbnails' side.
    public var side: Int
    /// What the pictures were made from.
    public var seed: Int
    /// Every setting with its samples.
    public var points: [ImagingPoint]
}

extension ImagingReport: BenchReport {
    /// `imaging`.
    public var kind: String { "imaging" }

    /// What was measured.
    public var title: String { "How fast pictures are made of pictures" }

    /// The machine and the pictures.
    public var conditions: [String] {
        let rounds = points.map(\.rates.count).max() ?? 0
        return [
            host.sentence,
            "Generated photographs with grain, seed \(seed), in memory, to JPEGs of \(side) pixels; \(rounds) samples each.",
        ]
    }

    /// The figures, a row for each setting; a bar is the share of the best rate of the same work.
    public var table: ResultTable {
        ResultTable(
            head: ["work", "pictures/s", "±", "CPU ms a picture"],
            rows: points.map { point in
                let rate = point.rate
                return [
                    point.setting.name, rounded(rate.median), rounded((rate.high - rate.low) / 2),
                    rounded(median(point.cpu)),
                ]
            },
            shares: points.map { point in
                let most =
                    points.filter { $0.setting.work == point.setting.work && $0.setting.width == point.setting.width }
                    .map { median($0.rates) }.max() ?? 0
                return most > 0 ? median(point.rates) / most : 0
            }, barred: 1, words: [0])
    }

    /// Nothing but the figures.
    public var findings: [String] { [] }

    /// What makes figures doubtful.
    public var doubts: [String] { points.flatMap { $0.rate.doubts(of: $0.setting.name) } }

    /// The rates of thumbnails by the workers, a line for each quality mode.
    public var charts: [LineChart] {
        let made = points.filter { $0.setting.work == .thumbnail }
        let workers = Set(made.map(\.setting.workers)).sorted()
        return Dictionary(grouping: made) { "\($0.setting.format.name) pictures of \($0.setting.width) pixels" }
            .sorted { $0.key < $1.key }
            .map { name, own in
                LineChart(
                    title: "Thumbnails of \(name)", across: "workers", steps: workers.map(String.init),
                    unit: "pictures a second", series: Self.lines(of: own, for: workers))
            }
    }

    private static func lines(of points: [ImagingPoint], for workers: [Int]) -> [LineChart.Series] {
        Set(points.map(\.setting.mode.rawValue)).sorted().map { mode in
            let line = workers.map { count in
                points.first { $0.setting.workers == count && $0.setting.mode.rawValue == mode }?.rate
            }
            return LineChart.Series(
                name: mode, values: line.map { $0?.median }, spread: line.map { $0.map { $0.low...$0.high } })
        }
    }

    /// The conditions and the points.
    public func write(to json: inout JSONWriter) {
        json.member("host", object: { host.write(to: &$0) })
        json.member(
            "set",
            object: { json in
                json.member("side", side)
                json.member("seed", seed)
            })
        json.member(
            "points",
            array: { list in
                for point in points {
                    list.object { json in
                        json.member("name", point.setting.name)
                        point.rate.write(to: &json)
                        json.member("cpu_ms", decimal: median(point.cpu))
                    }
                }
            })
    }
}

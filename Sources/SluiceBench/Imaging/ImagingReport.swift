// SPDX-License-Identifier: MIT

internal import SluiceImaging
package import SluiceModel

/// The results of an imaging benchmark.
package struct ImagingReport: Sendable, Hashable {
    /// The machine that the benchmark ran on.
    package var host: BenchMachine
    /// The thumbnail size in pixels.
    package var side: Int
    /// The seed of the pictures' content.
    package var seed: Int
    /// The settings with their samples.
    package var points: [ImagingPoint]
}

extension ImagingReport: BenchReport {
    /// `imaging`.
    package var kind: String { "imaging" }

    /// The title of the report.
    package var title: String { "Imaging benchmark" }

    /// The machine and the pictures.
    package var conditions: [String] {
        let rounds = points.map(\.samples.count).max() ?? 0
        return [
            host.sentence,
            "Generated photographs with grain, seed \(seed), in memory, to JPEGs of \(side) pixels; \(rounds) samples per setting.",
        ]
    }

    /// The measurements, one row per setting; bars show the share of the best rate of the same work.
    package var table: ResultTable {
        ResultTable(
            head: [
                "work", "pictures/s", "±", "floor/s", "decode/s", "decode floor", "resample/s", "encode/s",
                "encode floor",
                "CPU ms",
            ],
            rows: points.map(row),
            shares: points.map { point in
                let fastest =
                    points.filter { $0.setting.work == point.setting.work && $0.setting.width == point.setting.width }
                    .map(\.rate.median).max() ?? 0
                return fastest > 0 ? point.rate.median / fastest : 0
            }, barColumn: 1, textColumns: [0])
    }

    private func row(_ point: ImagingPoint) -> [String] {
        func cell(_ samples: [ImagingSample], _ figure: (ImagingSample) -> Double?) -> String {
            point.medianValue(of: figure, in: samples).map(rounded) ?? ""
        }
        let rate = point.rate
        let (own, floor) = (point.samples, point.floors)
        return [
            point.setting.name, rounded(rate.median), rounded((rate.high - rate.low) / 2), cell(floor, \.rate),
            cell(own, \.decode), cell(floor, \.decode), cell(own, \.resample), cell(own, \.encode),
            cell(floor, \.encode), cell(own, \.cpu),
        ]
    }

    /// The thumbnail rate as a share of the floor's rate, by format and quality mode.
    package var findings: [String] {
        let made = points.filter { !$0.floors.isEmpty }
        let kinds = made.map { "\($0.setting.format.name), \($0.setting.mode.rawValue)" }
        return Set(kinds).sorted().map { kind in
            // Compare each sample with the floor sample that was measured right after it.
            let shares = zip(made, kinds).filter { $0.1 == kind }.flatMap { point, _ in
                zip(point.samples, point.floors).map { $0.rate / $1.rate }
            }
            return "\(kind): \(Int((median(shares) * 100).rounded()))% of the floor's rate"
        }
    }

    /// Warnings about unreliable measurements.
    package var warnings: [String] { points.flatMap { $0.rate.warnings(of: $0.setting.name) } }

    /// Writes the conditions and the points.
    package func write(to json: inout JSONWriter) {
        json.object("host") { host.write(to: &$0) }
        json.object("set") { json in
            json.member("side", side)
            json.member("seed", seed)
        }
        json.array("points") { list in
            for point in points {
                list.object { point.write(to: &$0) }
            }
        }
    }
}

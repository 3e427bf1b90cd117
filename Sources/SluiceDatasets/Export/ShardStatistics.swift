// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Counts the results of a shard's rows, as img2dataset does in `00000_stats.json`.
struct ShardStatistics {
    private var statuses: [DatasetRow.Status: Int] = [:]
    /// The number of failures by cause; img2dataset counts its error messages.
    private var causes: [String: Int] = [:]

    /// The number of rows with a picture.
    var successes: Int { statuses[.success] ?? 0 }

    mutating func count(_ row: DatasetRow) {
        statuses[row.status, default: 0] += 1
        if row.picture == nil { causes[row.failure.cause.name, default: 0] += 1 }
    }

    /// The content of the file; the times are those of the mirror's runs, so that the same mirror gives the same bytes.
    func json(runs: [PastRun]) -> [UInt8] {
        let start = runs.map(\.started).min() ?? 0
        let end = runs.map { $0.ended ?? $0.started }.max() ?? 0
        var writer = JSONWriter()
        writer.object { object in
            object.member("count", statuses.values.reduce(0, +))
            object.member("successes", successes)
            object.member("failed_to_download", statuses[.failedToDownload] ?? 0)
            object.member("failed_to_resize", statuses[.failedToResize] ?? 0)
            object.member("duration", end - start)
            object.member("start_time", start)
            object.member("end_time", end)
            object.object("status_dict") { object in
                if successes > 0 { object.member(DatasetRow.Status.success.rawValue, successes) }
                for (cause, count) in causes.sorted(by: { $0.key < $1.key }) { object.member(cause, count) }
            }
        }
        writer.newline()
        return writer.bytes
    }
}

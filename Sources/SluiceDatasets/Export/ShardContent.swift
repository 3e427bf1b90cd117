// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The size and the fingerprint of a shard's rows.
///
/// They decide when the shard is full, and whether a shard of an interrupted export is still correct.
struct ShardContent: Hashable {
    let split: Int
    /// The number of the shard in its split, from 0.
    let number: Int
    private(set) var rows = 0
    /// The size of the rows in a tar file with their manifest lines and captions.
    ///
    /// It decides when the shard is full, because it is known before any file is read.
    private(set) var bytes = 0
    /// Identifies the rows; it changes with their metadata and the checksums of their files.
    private(set) var fingerprint = Fingerprint()

    init(split: Int, number: Int) { (self.split, self.number) = (split, number) }

    mutating func add(_ row: DatasetRow) {
        rows += 1
        if let picture = row.picture { bytes.add(TarFile.memberSize(picture.file.bytes)) }
        bytes += TarFile.memberSize(row.line.count)
        if let caption = row.entry.item.photo.caption { bytes += TarFile.memberSize(caption.utf8.count) }
        fingerprint.add(utf8: row.line)
        fingerprint.add(row.fetchedAt)
        fingerprint.add(row.cluster)
        fingerprint.add(row.picture == nil ? "\(row.failure)" : nil)
    }

    /// The key of the next row in layouts that number photos by shard: the number of the shard and the index in it.
    func nextKey(_ options: DatasetOptions) -> String {
        let digits = String(options.samplesPerShard - 1).utf8.count
        return String(number).zeroPadded(to: 5) + String(rows).zeroPadded(to: digits)
    }

    /// Whether the row belongs to this shard, and not to the next one.
    func hasRoom(for row: DatasetRow, _ options: DatasetOptions) -> Bool {
        guard row.position.split == split else { return false }
        guard rows > 0 else { return true }
        return rows < options.samplesPerShard && bytes + (row.picture?.file.bytes ?? 0) <= options.bytesPerShard
    }

    /// The shard that follows, which begins with the row.
    func next(from row: DatasetRow) -> ShardContent {
        ShardContent(split: row.position.split, number: row.position.split == split ? number + 1 : 0)
    }
}

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

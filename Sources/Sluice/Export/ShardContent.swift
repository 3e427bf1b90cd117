// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel

/// What a shard contains: enough to tell whether a shard of an interrupted export is still correct.
struct ShardContent: Hashable {
    /// The number of samples.
    var samples = 0
    /// The size in bytes, without the end of the archive.
    var bytes = 0
    /// Identifies the samples; it changes with their metadata and the checksums of their files.
    private(set) var fingerprint = Fingerprint()

    /// Counts a sample whose members have been written.
    mutating func add(_ sample: DatasetSample) {
        samples += 1
        fingerprint.add(sample.line)
    }

    /// Counts a sample with its members, without writing them.
    mutating func plan(_ sample: DatasetSample, fileBytes: Int) {
        bytes += TarShard.memberSize(fileBytes)
        for text in sample.texts { bytes += TarShard.memberSize(text.bytes.count) }
        add(sample)
    }
}

/// A photo in a shard: members with the same key and different file extensions.
struct DatasetSample {
    /// The key, such as `000000012`.
    let key: String
    /// The file extension of the picture.
    let fileExtension: String
    /// The line of the manifest.
    let line: String
    /// The members after the picture.
    let texts: [(fileExtension: String, bytes: [UInt8])]

    init(_ entry: LedgerEntry, _ fileExtension: String) {
        key = String(entry.item.seq).zeroPadded(to: 9)
        self.fileExtension = fileExtension
        var lines = ManifestLines()
        lines.add(entry)
        line = String(decoding: lines.bytes, as: UTF8.self)
        texts = [("json", lines.bytes)] + (entry.item.photo.caption.map { [("txt", Array($0.utf8))] } ?? [])
    }
}

extension DatasetOptions {
    /// Whether a shard is full, so that a sample with a file of `bytes` bytes starts the next one.
    func isFull(_ shard: ShardContent, before bytes: Int) -> Bool {
        shard.samples >= samplesPerShard || shard.samples > 0 && shard.bytes + bytes > bytesPerShard
    }
}

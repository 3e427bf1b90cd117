// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceCluster
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

extension RawOptions {
    /// The layouts whose pieces do not depend on the photos of other shards.
    private static let shardLayouts: Set<DatasetLayout> = [.webdataset, .parquet]

    /// The settings of the export of a shard, sorted by name.
    var shardExport: [Setting] {
        let names = Set(Flag.export.filter { $0.commands.contains(.work) }.map(\.long))
        return settings.filter { names.contains($0.flag.long) }.sorted { $0.flag.long < $1.flag.long }
    }

    /// Returns how `work` exports its shard; `nil` if the shard becomes a part of a mirror.
    ///
    /// Throws if the plan's `mirror` options make no such pictures.
    func shardDataset(of mirror: MirrorOptions) throws(UsageError) -> ShardDataset? {
        let given = shardExport
        guard let first = given.first else { return nil }
        guard given.contains(where: { $0.flag.long == "layout" }) else {
            throw UsageError("--\(first.flag.long) needs --layout")
        }
        var dataset = dataset
        guard !isWebArchive, Self.shardLayouts.contains(dataset.layout) else {
            let layouts = Self.shardLayouts.map(\.rawValue).sorted().joined(separator: " or ")
            throw UsageError(
                "work can only write --layout \(layouts); for other layouts, merge the plan and export the mirror")
        }
        let sizes = mirror.thumbnails.sizes.map(\.description)
        guard dataset.size.map(sizes.contains) ?? mirror.keepsOriginals else {
            let list = sizes.isEmpty ? "no thumbnails" : "thumbnails of the sizes \(sizes.joined(separator: ", "))"
            let originals = mirror.keepsOriginals ? "originals" : "no originals"
            throw UsageError(
                "work cannot export \(dataset.size.map { "thumbnails of the size \($0)" } ?? "originals"): the plan makes "
                    + "\(originals) and \(list)")
        }
        dataset.isolation = decoding.isolation(isDefault: true)
        dataset.memory = mirror.memory
        return ShardDataset(words: given.words, check: dataset.checkColumns) {
            [dataset] (folder, output, columns, token) throws(MirrorError) in
            let export = DatasetExport(
                of: folder, into: output, options: dataset, buckets: S3Options(), columns: columns)
            let handler = token.onCancel { _ in export.stop() }
            defer { withExtendedLifetime(handler) {} }
            let report = try export.run()
            if let path = report.broken.first {
                throw MirrorError(.local, "cannot export '\(folder)/\(path)': it is missing or has another length")
            }
            return report.isStopped ? nil : report.samples
        }
    }
}

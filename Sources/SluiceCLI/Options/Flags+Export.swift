// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceImaging

extension Flag {
    /// Options for the shards of `export`.
    static let export: [Flag] = [
        Flag(
            long: "size", value: ValuePlaceholder("SIZE"), category: .output, commands: [.export], isRecorded: false,
            help: "Export thumbnails of this size instead of originals",
            longHelp: """
                Exports the thumbnails of this size, written as for --sizes (256, x200), instead of the originals. \
                Photos without such a thumbnail are left out.
                """,
            apply: { (options, argument) throws(InvalidValue) in
                options.dataset.size = try argument.size().description
            }),
        Flag(
            long: "shard-items", value: ValuePlaceholder("N"), category: .output, commands: [.export],
            isRecorded: false,
            help: "Maximum photos per shard (default \(DatasetOptions().samplesPerShard))",
            longHelp: "Starts a new shard after N photos. The default is \(DatasetOptions().samplesPerShard).",
            apply: { (options, argument) throws(InvalidValue) in
                options.dataset.samplesPerShard = try argument.count()
            }),
        Flag(
            long: "shard-bytes", value: ValuePlaceholder("SIZE"), category: .output, commands: [.export],
            isRecorded: false,
            help: "Maximum bytes per shard (default \(DatasetOptions().bytesPerShard >> 30)G)",
            longHelp: """
                Starts a new shard before a photo that would exceed this size. k, M and G are multiples of 1024. The \
                default is \(DatasetOptions().bytesPerShard >> 30)G.
                """,
            apply: { (options, argument) throws(InvalidValue) in
                options.dataset.bytesPerShard = try argument.bytes()
            }),
    ]
}

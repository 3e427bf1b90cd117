// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What `export` puts into a shard.
    static let shards: [Flag] = [
        Flag(
            long: "size", value: Placeholder("SIZE"), category: .output, commands: [.export], isLasting: false,
            help: "Take the thumbnails of this size, not the originals",
            longHelp: """
                Takes the thumbnails of this size, written as --sizes took it (256, x200), in place of the originals. Photos \
                without one are left out.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.dataset.size = try argument.size().description
            }),
        Flag(
            long: "shard-items", value: Placeholder("N"), category: .output, commands: [.export], isLasting: false,
            help: "Most photos of a shard (default \(DatasetOptions().samplesPerShard))",
            longHelp: "Begins another shard behind N photos. The default is \(DatasetOptions().samplesPerShard).",
            apply: { (options, argument) throws(Refusal) in
                options.dataset.samplesPerShard = try argument.count()
            }),
        Flag(
            long: "shard-bytes", value: Placeholder("SIZE"), category: .output, commands: [.export], isLasting: false,
            help: "Most bytes of a shard (default \(DatasetOptions().bytesPerShard >> 30)G)",
            longHelp: """
                Begins another shard before a photo that would make one larger. k, M and G stand for steps of 1024. The \
                default is \(DatasetOptions().bytesPerShard >> 30)G.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.dataset.bytesPerShard = try argument.bytes()
            }),
    ]
}

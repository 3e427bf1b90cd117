// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The contents of a layout's files.
struct LayoutRules {
    /// The content of a photo's JSON member.
    enum Metadata {
        /// The line of the manifest, in which missing facts are absent.
        case manifestLine
        /// All columns, in which missing facts are null.
        case columns
    }

    /// Where the pictures of a shard are.
    enum Container {
        case tar, folder
        case table
    }

    /// The content of a photo's JSON member; `nil` if it has none.
    var metadata: Metadata?
    /// Whether a photo has a member with its caption, which may be empty.
    var captions = Captions.always
    var container = Container.tar
    /// The formats of which all pictures must have the same one; `nil` if there is no such rule.
    var uniformFormats: [StoredFormat]?
    /// Whether the dataset has a ``DatasetCard``.
    var hasCard = false
    /// Whether a shard has a Parquet table with a row for each photo.
    var writesTable = false
    /// Whether failed photos have rows, too.
    var hasFailures = false
    /// Whether the key of a photo is the number of its shard and its index in the shard.
    var hasShardKeys = false
    /// Whether a shard has a file with counts.
    var writesStatistics = false

    /// Which photos have a member with their captions.
    enum Captions {
        case never, ifPresent, always
    }

    /// The last file of a shard that gets its name: the shard is complete if it exists.
    var mainFile: String {
        switch container {
        case .tar: ".tar"
        case .folder: "/metadata.parquet"
        case .table: ".parquet"
        }
    }
}

extension DatasetLayout {
    /// The contents of the layout's files.
    var rules: LayoutRules {
        switch self {
        case .webdataset: LayoutRules(metadata: .manifestLine, captions: .ifPresent)
        case .huggingface:
            LayoutRules(metadata: .columns, uniformFormats: StoredFormat.readByDatasets, hasCard: true)
        case .img2dataset:
            LayoutRules(
                metadata: .columns, writesTable: true, hasFailures: true, hasShardKeys: true, writesStatistics: true)
        case .folder: LayoutRules(captions: .never, container: .folder, writesTable: true)
        case .parquet: LayoutRules(captions: .never, container: .table, writesTable: true)
        }
    }
}

// SPDX-License-Identifier: MIT

public import SluiceEngine
public import SluiceFeeds
public import SluiceImaging
public import SluiceModel

/// How the files of a dataset are arranged.
public enum DatasetLayout: String, Sendable, Hashable, CaseIterable {
    /// Tar files in which a photo has a picture, its manifest line, and a caption if it has one.
    case webdataset
    /// Tar files that `datasets.load_dataset` reads: each photo has the same members with the same types.
    case huggingface
    /// The tar files, tables and statistics of img2dataset, with a row for every photo, also for failed ones.
    case img2dataset
    /// Folders with the picture files and a table of metadata, as the `imagefolder` reader of `datasets` expects.
    case folder
    /// Parquet tables with the pictures in them, as `push_to_hub` of `datasets` writes them.
    case parquet
}

/// A part of a dataset, for example for training or validation.
public struct DatasetSplit: Sendable, Hashable {
    /// The name of its folder.
    public var name: String
    /// Its share of the photos, relative to the weights of the other splits.
    public var weight: Int

    /// Makes a split.
    public init(_ name: String, weight: Int) { (self.name, self.weight) = (name, weight) }
}

/// The options of a dataset export.
public struct DatasetOptions: Sendable, Hashable {
    /// The ending of files with captions.
    public enum CaptionFiles: String, Sendable, Hashable, CaseIterable {
        case txt, caption
    }

    /// Reservations of hosts that an export respects.
    public enum Reservations: String, Sendable, Hashable, CaseIterable {
        /// The training of models.
        case ai
        case none
    }

    /// The facts of the EXIF data that are exported.
    public enum EXIF: String, Sendable, Hashable, CaseIterable {
        /// The camera, the lens, the exposure and the date.
        case camera
        /// The same, and the place.
        case place
    }

    /// The kinds of metadata that can be written into pictures.
    public enum EmbeddedKind: String, Sendable, Hashable, CaseIterable {
        case xmp
        /// JPEGs only.
        case iptc
    }

    /// How the files are arranged.
    public var layout = DatasetLayout.webdataset
    /// The ending of files with captions beside the pictures of the layout ``DatasetLayout/folder``; `nil` for none.
    public var captions: CaptionFiles?
    /// The condition for photos, with the sizes of their files; `nil` exports all.
    public var filter: Filter?
    /// The reservations of hosts for which photos are left out.
    public var respected = Reservations.ai
    /// The photos that must not be exported.
    public var blocklist = Blocklist()
    /// Whether only the best photo of each group of copies is exported.
    public var isUnique = false
    /// The format of all pictures: those in another format are decoded and encoded again; `nil` keeps all formats.
    public var recodedFormat: ImageFormat?
    /// Where pictures are decoded.
    public var isolation = Isolation.none
    /// The memory for decodes in bytes.
    public var memory = 512 << 20
    /// The size of the thumbnails to export, as the user wrote it; `nil` exports the originals.
    public var size: String?
    /// The kinds of metadata with the feed's facts to write into JPEG, PNG and WebP pictures, without changing pixels.
    public var embedded: Set<EmbeddedKind> = []
    /// The facts of the originals' EXIF data to export; `nil` for none.
    public var exif: EXIF?
    /// The largest number of differing bits of perceptual hashes in a cluster; `nil` finds no clusters.
    ///
    /// Memory use depends on the number of different perceptual hashes.
    public var clusterDistance: Int?
    /// The maximum number of samples in a shard.
    public var samplesPerShard = 10_000
    /// The approximate maximum size of a shard in bytes.
    ///
    /// A shard with a single sample may exceed it.
    public var bytesPerShard = 1 << 30
    /// The seed of a random order; `nil` keeps the feed's order.
    public var shuffleSeed: Int?
    /// The parts of the dataset, each in a folder of its own; empty for one part without a folder.
    ///
    /// A photo belongs to the split that the SHA-256 of its address chooses, also in other mirrors.
    public var splits: [DatasetSplit] = []
    /// The field of which each value has the same shares of the splits; `nil` lets addresses choose.
    ///
    /// Photos of a cluster are in one split then. Memory use depends on the number of photos.
    public var stratum: PhotoValue?

    /// Makes the default options.
    public init() {}

    /// Throws if the options name a column that the photos' lists do not have.
    package func checkColumns(_ listed: [ListedColumn]) throws(MirrorError) {
        let names = listed.map(\.name)
        guard names.count < ListedColumn.limit else { return }
        for name in (filter?.columns ?? []) + [stratum?.column].compactMap(\.self)
        where !names.contains(where: { $0 === name }) {
            let suggestion = didYouMean(closestMatch(to: name, in: names))
            throw MirrorError(.usage, "no photo has the column '\(name)'\(suggestion)")
        }
    }
}

/// A picture that could not be converted to another format.
public struct UnconvertedPicture: Sendable, Hashable {
    /// The path relative to the mirror.
    public let path: String
    /// The reason.
    public let failure: Failure
}

/// The result of a dataset export.
public struct DatasetReport: Sendable, Hashable {
    /// The number of photos in the shards.
    public internal(set) var samples = 0
    /// The number of shards.
    public internal(set) var shards = 0
    /// The total size of the shards in bytes.
    public internal(set) var bytes = 0
    /// Files that are missing or whose size differs from their receipts.
    ///
    /// Their photos are not exported.
    public internal(set) var broken: [String] = []
    /// Pictures that could not be converted: the file and the reason.
    ///
    /// Their photos are not exported.
    public internal(set) var unconverted: [UnconvertedPicture] = []
    /// The number of pictures with metadata that the export has written into them.
    public internal(set) var embedded = 0
    /// The number of pictures that such an export has left as they are.
    public internal(set) var unembedded = 0
    /// The number of the mirror's photos that are left out because their hosts or files reserve the training of models.
    public internal(set) var reserved = 0
    /// The number of photos that are left out because better copies of them are exported.
    public internal(set) var copies = 0
    /// The number of photos that are left out because they are on the blocklist.
    public internal(set) var blocked = 0
    /// The number of shards that an interrupted export had finished and that this one kept.
    public internal(set) var keptShards = 0
    /// Whether the export was stopped early; the next export into the same folder continues it.
    public internal(set) var isStopped = false
}

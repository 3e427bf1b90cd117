// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceImaging
internal import SluiceModel

extension Flag {
    /// Options for the shards of `export`.
    static let export: [Flag] = [
        Flag(
            long: "layout", value: .choice(of: ExportLayout.self), category: .output,
            commands: [.export, .work, .merge], isRecorded: false,
            help: "Arrangement of the dataset's files", default: defaults.layout.rawValue,
            longHelp: """
                webdataset: a photo is a picture, its manifest line and, if it has one, its caption. huggingface: \
                datasets.load_dataset reads the folder; each photo has the same members with the same types, and all \
                pictures have one format. img2dataset: tar files, Parquet tables and statistics with the names, \
                columns and status words of img2dataset, and rows of failed photos. folder: folders of pictures, each \
                with metadata.parquet. parquet: tables with the pictures in them, as on the Hugging Face Hub. wacz: \
                one file for web archives, made of the WARC that --warc names.
                """,
            apply: { options, argument in
                switch try argument.choice(of: ExportLayout.self) {
                case .dataset(let layout):
                    options[DatasetOptions.self].layout = layout
                    options[WebArchiveArguments.self].isWanted = false
                case .webArchive: options[WebArchiveArguments.self].isWanted = true
                }
            }),
        Flag(
            long: "where", value: "CONDITION", category: .selection, commands: [.export, .work, .merge],
            isRecorded: false,
            help: "Export photos that match a condition, e.g. 'width>=512'",
            longHelp: """
                Exports only photos that match a condition, as for `sluice mirror --filter`. Width and height are those \
                of the files; columns of a list are columns.NAME.
                """,
            apply: { $0[DatasetOptions.self].filter = try $1.filter() }),
        Flag(
            long: "captions", value: .choice(of: DatasetOptions.CaptionFiles.self), category: .output,
            commands: [.export], isRecorded: false,
            help: "Write captions beside the pictures of layout folder",
            longHelp: """
                Writes the caption of a photo to a file beside its picture, KEY.txt or KEY.caption, where trainers look \
                for it. Photos without a caption have no such file. It is for the layout folder; the tar files of \
                other layouts have captions anyway.
                """,
            apply: { $0[DatasetOptions.self].captions = try $1.choice(of: DatasetOptions.CaptionFiles.self) }),
        Flag(
            long: "respect", value: .choice(of: DatasetOptions.Reservations.self), category: .selection,
            commands: [.export, .recheck, .work, .merge], isRecorded: false,
            help: "Reservations of hosts to respect", default: defaults.respected.rawValue,
            longHelp: """
                ai leaves out photos that were reserved from the training of models when they were downloaded: by \
                X-Robots-Tag noai, noimageai or noml, Content-Usage, tdm-reservation, a content signal in \
                robots.txt, tdmrep.json, or IPTC and C2PA statements in the file, which are not verified. none exports \
                them, too. The column usage has the statements.
                """,
            apply: { $0[DatasetOptions.self].respected = try $1.choice(of: DatasetOptions.Reservations.self) }),
        Flag(
            long: "size", value: "SIZE", category: .output, commands: [.export, .work, .merge], isRecorded: false,
            others: .anyone,
            help: "Export thumbnails of this size instead of originals",
            longHelp: """
                Exports the thumbnails of this size, written as for --sizes (256, x200), instead of the originals. \
                Photos without such a thumbnail are left out.
                """,
            apply: { $0[DatasetOptions.self].size = try $1.size().description }),
        Flag(
            long: "recode", value: "FORMAT", category: .output, commands: [.export, .work, .merge], isRecorded: false,
            help: "Convert pictures of other formats to this one",
            longHelp: """
                Decodes pictures that have another format, and encodes them in this one, upright, in sRGB and with \
                quality 95. Pictures that have the format already are exported unchanged. Photos are decoded in \
                sandboxed processes unless --no-isolate is given.
                """,
            apply: { $0[DatasetOptions.self].recodedFormat = try $1.recodedFormat() }),
        Flag(
            long: "embed", value: "LIST", category: .output, commands: [.export, .work, .merge], isRecorded: false,
            help: "Write the feed's facts into pictures: xmp,iptc",
            longHelp: """
                Writes title, caption, author, credit, licence, source, date and tags into the exported JPEG, PNG and \
                WebP pictures, as XMP, as IPTC (JPEG only) or both, for example xmp,iptc. Pixels stay as they are, and \
                so do facts that a picture has already. Signed pictures (C2PA) and other formats are exported unchanged. The mirror is not changed.
                """,
            apply: { $0[DatasetOptions.self].embedded = Set(try $1.choices(of: DatasetOptions.EmbeddedKind.self)) }),
        Flag(
            long: "unique", category: .selection, commands: [.export], isRecorded: false, others: .anyone,
            help: "Export only the best of each group of copies",
            longHelp: """
                Leaves out photos of which a better copy is exported. The groups and the best photo of each are those \
                of `sluice duplicates --keep best`, among the photos that the other options select. Sluice reads the \
                thumbnails of photos that may be copies.
                """,
            apply: { $0[DatasetOptions.self].isUnique = $1.isOn }),
        Flag(
            long: "cluster-distance", value: "N", category: .output, commands: [.export], isRecorded: false,
            help: "Add the column cluster, of photos that differ in N bits",
            longHelp: """
                Adds a column with the number of the photo's cluster: the position of the first photo in it. Each \
                photo of a cluster is identical to another one, or their perceptual hashes differ in at most N of 64 \
                bits, as for `sluice duplicates`. Photos that are like no other have no value. The memory depends on \
                the number of photos.
                """,
            apply: {
                $0[DatasetOptions.self].clusterDistance = try $1.count(from: 0, to: DuplicateOptions.maxDistance)
            }),
        Flag(
            long: "exif", value: .choice(of: DatasetOptions.EXIF.self), category: .output,
            commands: [.export, .work, .merge], isRecorded: false,
            help: "Add the column exif, with or without the place",
            longHelp: """
                Adds a column with facts from the originals' EXIF data, as JSON: camera, lens, exposure and date; with \
                place, also the coordinates. Serial numbers and names of people are never exported.
                """,
            apply: { $0[DatasetOptions.self].exif = try $1.choice(of: DatasetOptions.EXIF.self) }),
        Flag(
            long: "shard-items", value: "N", category: .output, commands: [.export, .work, .merge], isRecorded: false,
            others: .anyone,
            help: "Maximum photos per shard", default: "\(defaults.samplesPerShard)",
            longHelp: "Starts a new shard after N photos.",
            apply: { $0[DatasetOptions.self].samplesPerShard = try $1.count() }),
        Flag(
            long: "shard-bytes", value: "SIZE", category: .output, commands: [.export, .work, .merge],
            isRecorded: false, others: .anyone,
            help: "Maximum bytes per shard", default: shown(bytes: defaults.bytesPerShard),
            longHelp: """
                Starts a new shard before a photo that would exceed this size. k, M and G are multiples of 1024.
                """,
            apply: { $0[DatasetOptions.self].bytesPerShard = try $1.bytes() }),
        Flag(
            long: "shuffle", value: "SEED", category: .output, commands: [.export], isRecorded: false,
            help: "Export in a random order that the seed determines",
            longHelp: """
                Exports the photos in a random order, in which photos of a host or a collection are not adjacent. The \
                same mirror and the same SEED, a whole number, always give the same order.
                """,
            apply: { $0[DatasetOptions.self].shuffleSeed = try $1.count(from: 0) }),
        Flag(
            long: "split", value: "NAME:WEIGHT,...", category: .output, commands: [.export], isRecorded: false,
            help: "Divide the photos among folders, e.g. train:98,val:2",
            longHelp: """
                Writes a folder for each name. The SHA-256 of a photo's address decides to which of them it belongs, \
                with a chance in proportion to the weights. So a photo belongs to the same part in every export with \
                the same value.
                """,
            apply: { $0[DatasetOptions.self].splits = try $1.datasetSplits() }),
        Flag(
            long: "stratify", value: "FIELD", category: .output, commands: [.export], isRecorded: false,
            help: "Give each value of a field the same shares of --split",
            longHelp: """
                Chooses the parts of --split so that the photos of each value of FIELD, for example license or \
                columns.label, have the weights as shares. FIELD is a name as in --filter; photos without it count as \
                a value, too. Photos that are added at the end of the mirror change no other photo's part. With \
                --cluster-distance, the photos of a cluster are in one part.
                """,
            apply: { $0[DatasetOptions.self].stratum = try $1.photoValue() }),
    ]

    private static let defaults = DatasetOptions()
}

extension Argument {
    /// Parses the name of a field of photos.
    fileprivate func photoValue() throws(InvalidValue) -> PhotoValue {
        do throws(InvalidText) { return try PhotoValue(text) } catch {
            throw InvalidValue("the name of a field, e.g. license or columns.label (\(error))")
        }
    }

    /// Parses the parts of a dataset: `train:98,val:2`.
    fileprivate func datasetSplits() throws(InvalidValue) -> [DatasetSplit] {
        let expected = InvalidValue("different names of letters with whole weights, e.g. train:98,val:2")
        var splits: [DatasetSplit] = []
        for part in parts {
            let pair = part.split(separator: ":", omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[0].isEmpty, pair[0].utf8.allSatisfy(\.isLetter),
                let weight = Int(pair[1]), (1...1_000_000).contains(weight),
                !splits.contains(where: { $0.name == pair[0] })
            else { throw expected }
            splits.append(DatasetSplit(String(pair[0]), weight: weight))
        }
        return splits
    }

    /// Parses the format of converted pictures.
    fileprivate func recodedFormat() throws(InvalidValue) -> ImageFormat {
        if let format = ImageFormat.encodable.first(where: { $0.name == formatName }) { return format }
        throw InvalidValue(ImageFormat.encodable.map(\.name).joined(separator: ", "))
    }
}

/// The arrangement of the files of an export.
enum ExportLayout: RawRepresentable, CaseIterable {
    case dataset(DatasetLayout)
    case webArchive

    static let allCases = DatasetLayout.allCases.map(ExportLayout.dataset) + [.webArchive]

    init?(rawValue: String) {
        guard let layout = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = layout
    }

    var rawValue: String {
        switch self {
        case .dataset(let layout): layout.rawValue
        case .webArchive: "wacz"
        }
    }
}

/// Whether `export` packages a web archive.
struct WebArchiveArguments: ArgumentGroup {
    var isWanted = false
}

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
            "layout",
            .custom(.choice(of: ExportLayout.self)) { options, argument in
                switch try argument.choice(of: ExportLayout.self) {
                case .dataset(let layout):
                    options.dataset.layout = layout
                    options.isWebArchive = false
                case .webArchive: options.isWebArchive = true
                }
            }, [.export, .work, .merge], isRecorded: false, default: defaults.layout.rawValue,
            "Arrangement of the dataset's files",
            """
            webdataset: a photo is a picture, its manifest line and, if it has one, its caption. huggingface: \
            datasets.load_dataset reads the folder; each photo has the same members with the same types, and all \
            pictures have one format. img2dataset: tar files, Parquet tables and statistics with the names, columns \
            and status words of img2dataset, and rows of failed photos. folder: folders of pictures, each with \
            metadata.parquet. parquet: tables with the pictures in them, as on the Hugging Face Hub. wacz: one file \
            for web archives, made of the WARC that --warc names.
            """),
        Flag(
            "where", .value("CONDITION", \.dataset.filter) { try $0.filter() }, [.export, .work, .merge],
            isRecorded: false, under: .selection, "Export photos that match a condition, e.g. 'width>=512'",
            """
            Exports only photos that match a condition, as for `sluice mirror --filter`. Width and height are those of \
            the files; columns of a list are columns.NAME.
            """),
        Flag(
            "captions", .choice(\.dataset.captions), [.export], isRecorded: false,
            "Write captions beside the pictures of layout folder",
            """
            Writes the caption of a photo to a file beside its picture, KEY.txt or KEY.caption, where trainers look \
            for it. Photos without a caption have no such file. It is for the layout folder; the tar files of other \
            layouts have captions anyway.
            """),
        Flag(
            "respect", .choice(\.dataset.respected), [.export, .recheck, .work, .merge], isRecorded: false,
            under: .selection,
            "Reservations of hosts to respect",
            """
            ai leaves out photos that were reserved from the training of models when they were downloaded: by \
            X-Robots-Tag noai, noimageai or noml, rules for robots in their page, Content-Usage, tdm-reservation, a \
            content signal in robots.txt, tdmrep.json, or IPTC and C2PA statements in the file, which are not \
            verified. none exports them, too. The column usage has the statements.
            """),
        Flag(
            "size", .value("SIZE", \.dataset.size) { try $0.size().description }, [.export, .work, .merge],
            isRecorded: false, others: .anyone, "Export thumbnails of this size instead of originals",
            """
            Exports the thumbnails of this size, written as for --sizes (256, x200), instead of the originals. Photos \
            without such a thumbnail are left out.
            """),
        Flag(
            "recode", .value("FORMAT", \.dataset.recodedFormat) { try $0.recodedFormat() }, [.export, .work, .merge],
            isRecorded: false, "Convert pictures of other formats to this one",
            """
            Decodes pictures that have another format, and encodes them in this one, upright, in sRGB and with quality \
            95. Pictures that have the format already are exported unchanged. Photos are decoded in sandboxed \
            processes unless --no-isolate is given.
            """),
        Flag(
            "embed", .value("LIST", \.dataset.embedded) { Set(try $0.choices(of: DatasetOptions.EmbeddedKind.self)) },
            [.export, .work, .merge], isRecorded: false, "Write the feed's facts into pictures: xmp,iptc",
            """
            Writes title, caption, author, credit, licence, source, date and tags into the exported JPEG, PNG and WebP \
            pictures, as XMP, as IPTC (JPEG only) or both, for example xmp,iptc. Pixels stay as they are, and so do \
            facts that a picture has already. Signed pictures (C2PA) and other formats are exported unchanged. The \
            mirror is not changed.
            """),
        Flag(
            "unique", .on(\.dataset.isUnique), [.export], isRecorded: false, under: .selection, others: .anyone,
            "Export only the best of each group of copies",
            """
            Leaves out photos of which a better copy is exported. The groups and the best photo of each are those of \
            `sluice duplicates --keep best`, among the photos that the other options select. Sluice reads the \
            thumbnails of photos that may be copies.
            """),
        Flag(
            "cluster-distance", .count(\.dataset.clusterDistance, from: 0, to: DuplicateOptions.maxDistance), [.export],
            isRecorded: false, "Add the column cluster, of photos that differ in N bits",
            """
            Adds a column with the number of the photo's cluster: the position of the first photo in it. Each photo of \
            a cluster is identical to another one, or their perceptual hashes differ in at most N of 64 bits, as for \
            `sluice duplicates`. Photos that are like no other have no value. The memory depends on the number of \
            photos.
            """),
        Flag(
            "exif", .choice(\.dataset.exif), [.export, .work, .merge], isRecorded: false,
            "Add the column exif, with or without the place",
            """
            Adds a column with facts from the originals' EXIF data, as JSON: camera, lens, exposure and date; with \
            place, also the coordinates. Serial numbers and names of people are never exported.
            """),
        Flag(
            "shard-items", .count(\.dataset.samplesPerShard), [.export, .work, .merge], isRecorded: false,
            others: .anyone, "Maximum photos per shard", "Starts a new shard after N photos."),
        Flag(
            "shard-bytes", .bytes(\.dataset.bytesPerShard), [.export, .work, .merge], isRecorded: false,
            others: .anyone, "Maximum bytes per shard",
            "Starts a new shard before a photo that would exceed this size. k, M and G are multiples of 1024."),
        Flag(
            "shuffle", .count(\.dataset.shuffleSeed, from: 0, "SEED"), [.export], isRecorded: false,
            "Export in a random order that the seed determines",
            """
            Exports the photos in a random order, in which photos of a host or a collection are not adjacent. The same \
            mirror and the same SEED, a whole number, always give the same order.
            """),
        Flag(
            "split", .value("NAME:WEIGHT,...", \.dataset.splits) { try $0.datasetSplits() }, [.export],
            isRecorded: false, "Divide the photos among folders, e.g. train:98,val:2",
            """
            Writes a folder for each name. The SHA-256 of a photo's address decides to which of them it belongs, with \
            a chance in proportion to the weights. So a photo belongs to the same part in every export with the same \
            value.
            """),
        Flag(
            "stratify", .value("FIELD", \.dataset.stratum) { try $0.photoValue() }, [.export], isRecorded: false,
            "Give each value of a field the same shares of --split",
            """
            Chooses the parts of --split so that the photos of each value of FIELD, for example license or \
            columns.label, have the weights as shares. FIELD is a name as in --filter; photos without it count as a \
            value, too. Photos that are added at the end of the mirror change no other photo's part. With \
            --cluster-distance, the photos of a cluster are in one part.
            """),
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

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// The arguments of `manual`.
struct ManualArguments {
    /// Whether to print the options as Markdown.
    var isMarkdown = false
    /// Whether to print the JSON schema of option files.
    var isSchema = false
}

extension Flag {
    /// Options for output files and messages.
    static let output: [Flag] = [
        Flag(
            "out", short: "o", .text(ValuePlaceholder("DIR", .folder), \.output.folder, "a folder name"),
            [.mirror, .thumbs, .adopt, .plan, .work, .merge, .export], isRecorded: false,
            essential: [.mirror, .thumbs, .adopt, .plan, .work, .merge],
            "Output folder (default for mirror: SOURCE-mirror)",
            """
            The folder for the mirror, the thumbnails or the shards. It is created if it does not exist. By default a \
            mirror goes into the current folder and is named after SOURCE: demo-mirror for demo, cats-mirror for \
            lists/cats.txt. A run into an existing mirror continues where the last run stopped. Except for adopt, it \
            may be a location in a bucket, s3://BUCKET/PREFIX. For plan it is the folder of the plan. work and merge \
            use the folder mirror in the plan's folder by default.
            """),
        Flag(
            "force", .on(\.mirror.allowsUntrustedFolder), [.mirror, .thumbs, .gallery], isRare: true,
            "Allow another user's folder, or rebuilding an intact ledger",
            """
            Writes to a folder that belongs to another user and that further users may write to. By default such a \
            folder is refused, because those users could place links and files in the mirror. With `gallery \
            --rebuild`, replaces even an intact ledger.
            """),
        Flag(
            "name", .text("TEMPLATE", \.mirror.name, "a template"), [.mirror], others: .anyone,
            "Name template for new files, e.g. '{author}/{seq:05}'",
            """
            Names originals and thumbnails with the fields {seq} {id} {name} {slug} {caption} {author} {collection} \
            {feed} {page} {license} {width} {height} {date} {columns.NAME}. {seq:05} has five digits, {caption:40} at \
            most forty letters, {date:%Y-%m} year and month, and a slash creates a folder. The template may end with .{ext}, the extension of the actual format. Names \
            are made safe for every file system. If two photos would get the same name, the later one gets a short \
            hash. A photo keeps its first name. The default is {seq:05}-{slug}, in folders of a thousand from the \
            5000th photo on.
            """),
        Flag(
            "no-originals", .off(\.mirror.keepsOriginals), undo: "originals", [.mirror], others: .anyone,
            essential: [.mirror], "Keep only the thumbnails",
            """
            Removes each downloaded original after its thumbnails are made. Originals of earlier runs stay, and new \
            thumbnails are made from them.
            """),
        Flag(
            "mtime", .on(\.mirror.datesFiles), [.mirror], others: .anyone,
            "Give originals the photo's date as their time",
            """
            Sets the modification time of each new original to the date that the feed states, so that programs which \
            sort files by time show photos in their order. Photos without a date, and objects of a bucket, keep the \
            time of the download.
            """),
        Flag(
            "xmp", .on(\.mirror.writesSidecars), [.mirror], others: .anyone,
            "Write an XMP sidecar beside each original",
            """
            Writes photo.jpg.xmp beside photo.jpg with the facts that the feed states: description, creator, tags, \
            date, credit, licence, page and address. Photo managers and ExifTool read it. Photos of earlier runs get \
            sidecars, too, without being downloaded again. A run rewrites a sidecar when the facts have changed, but \
            never one that another program has written or edited.
            """),
        Flag(
            "only-decodable", .off(\.mirror.keepsUndecodable), undo: "all-formats", [.mirror], others: .anyone,
            "Reject files that Sluice cannot decode",
            """
            Fails photos of formats that Sluice recognises but cannot decode, such as SVG, PSD and video, with the \
            cause unsupported, and photos that exceed --max-pixels or --memory. Without this option their originals \
            are kept and listed, with the reason why they have no thumbnail.
            """),
        Flag(
            "fetch", .choice(\.mirror.fetch), [.mirror], others: .anyone, "How much to download without originals",
            """
            With enough and --no-originals, the download of a progressive JPEG stops after the scans that the \
            thumbnails need. That is often half of the file; the thumbnails differ slightly from those of the whole \
            file. With --quality-mode fast, the download of any JPEG stops after the preview in its EXIF data, if that \
            is as large as the thumbnails and has the photo's shape. Other files, photos with a checksum in the feed, \
            and files whose thumbnails need more than half of their width are downloaded completely.
            """),
        Flag(
            "no-share", .off(\.mirror.sharesContent), undo: "share", [.mirror], others: .anyone,
            "Store identical photos as separate files",
            """
            Gives each photo a separate file, even if another photo has identical bytes. By default identical bytes \
            are stored once: on Btrfs and XFS the files share their blocks, elsewhere they are hard links to one file. \
            Sluice never writes into an existing file, but another program that does changes all of them.
            """),
        Flag(
            "durability", .choice(\.mirror.durability), [.mirror, .thumbs], isRare: true, "When to flush files to disk",
            """
            Photos that Sluice reports as done survive any end of the process. With batch, the default, they also \
            survive a power failure: files and receipts are committed together, after at most 64 photos or one second, \
            by flushing the whole disk. each flushes every file separately, which costs more but does not wait for the \
            data of other programs. none flushes nothing: after a power failure, files with final names may be \
            incomplete.
            """),
        Flag(
            "no-gallery", .off(\.mirror.writesGallery), undo: "gallery", [.mirror, .thumbs], others: .anyone,
            essential: [.thumbs], "Do not write a gallery",
            "Writes no gallery at the end of the run. `sluice gallery DIR` writes it later."),
        Flag(
            "parquet", .on(\.mirror.writesParquet), [.mirror, .thumbs, .gallery], others: .anyone,
            "Also write the manifest as manifest.parquet",
            """
            Writes manifest.parquet beside manifest.jsonl and manifest.csv, with the columns of manifest.csv. Once the \
            file exists, later commands keep it current without this option. To stop that, delete it.
            """),
        Flag(
            "rebuild", .on(\.gallery.isRebuild), [.gallery], "Rebuild a lost or damaged ledger",
            """
            Rebuilds the ledger from manifest.jsonl and the files. A photo is done if its file matches the manifest \
            byte for byte; the next run processes the rest, and makes thumbnails again whose options are unknown. The \
            old ledger is kept next to the new one, in .sluice.
            """),
        Flag(
            "quiet", short: "q", .on(\.output.isQuiet),
            [
                .mirror, .thumbs, .adopt, .plan, .work, .merge, .gallery, .verify, .duplicates, .export, .drift,
                .recheck, .bench,
            ], isRecorded: false, others: .anyone, "Print only errors and the final summary",
            """
            Prints only errors that stop the run or a page, and the final summary, to standard error. The summary \
            counts failed photos, and the manifest lists them.
            """),
        Flag(
            "if-changed", .on(\.output.isQuietUnlessChanged), [.mirror], isRecorded: false, others: .anyone,
            "Print nothing if there is nothing new",
            """
            Prints only errors and the final summary, like --quiet but with its details, and nothing at all if the run \
            kept all photos. Under cron, mail therefore arrives only when there is something to read. A photo that \
            fails is reported by every run until it is done. The exit codes stay the same.
            """),
        Flag(
            "verbose", short: "v", .on(\.output.isVerbose), [.mirror, .thumbs, .work, .merge], isRecorded: false,
            others: .anyone, "Print a line for each photo",
            """
            Also prints the result of each photo and each failed attempt to standard error. Has no effect with \
            --quiet.
            """),
        Flag(
            "json", .on(\.output.isJSON),
            [
                .mirror, .thumbs, .adopt, .work, .merge, .verify, .explain, .duplicates, .diff, .drift, .recheck,
                .feeds,
            ], isRecorded: false, others: .anyone, "Print JSON to standard output",
            """
            Prints each event of the run to standard output as one JSON object per line, with "schema":1 and "event". \
            Messages still go to standard error; if that is not a terminal, they are as few as with --quiet. `sluice \
            feeds show NAME --json` prints the recipe as a starting point for a new one.
            """),
        Flag(
            "markdown", .on(\.manual.isMarkdown), [.manual], settableFrom: .argumentsOnly,
            "Print the options as Markdown",
            "Prints the options of every command as Markdown tables, as in Documentation/options.md."),
        Flag(
            "schema", .on(\.manual.isSchema), [.manual], settableFrom: .argumentsOnly,
            "Print the JSON schema of option files",
            "Prints the JSON schema of sluice.json, as in Documentation/sluice.schema.json."),
    ]

    /// Options for traces and metrics of a run.
    static let diagnostics: [Flag] = [
        Flag(
            "warc",
            .custom(.file) { options, argument in
                guard ArchiveName(argument.text) != nil else {
                    throw InvalidValue("a file name that ends with .warc.gz or .warc")
                }
                options.mirror.archive = try argument.singleLine("a file name")
            }, [.mirror, .export], isRecorded: false, "WARC of the HTTP exchanges of photos",
            """
            Writes the requests and responses of all photos, their redirects and robots.txt to a WARC 1.1 file, for \
            web archives. FILE ends with .warc.gz, or with .warc for files without compression. The files are named \
            NAME-00001.warc.gz and so on, with up to 1 GB each, and NAME.cdxj is their index. Later runs continue the \
            series. Identical photos are stored once. An interrupted download begins again from its first byte. \
            `sluice export --layout wacz --warc FILE` packages the files.
            """),
        Flag(
            "trace", .file(\.mirror.trace), thumbnailCommands, isRecorded: false, isRare: true,
            "Write a trace for Perfetto or Chrome",
            """
            Writes the phases of each photo to FILE in Chrome's trace event format, for ui.perfetto.dev or \
            chrome://tracing. The file is complete JSON at every moment, also after Ctrl-C.
            """),
        Flag(
            "metrics", .file(\.mirror.metrics), thumbnailCommands + [.work], isRecorded: false, isRare: true,
            "Write Prometheus metrics every 5 s",
            """
            Writes the metrics of the run to FILE in the Prometheus text format, every five seconds and at the end. \
            Each write replaces the whole file, as node_exporter's textfile collector expects. Those of `work` have \
            the label shard, and each shard needs a FILE of its own.
            """),
    ]
}

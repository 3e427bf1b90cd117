// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// The arguments of `manual`.
struct ManualArguments: ArgumentGroup {
    /// Whether to print the options as Markdown.
    var isMarkdown = false
    /// Whether to print the JSON schema of option files.
    var isSchema = false
}

extension Flag {
    /// Options for output files and messages.
    static let output: [Flag] = [
        Flag(
            long: "out", short: "o", value: ValuePlaceholder("DIR", .folder),
            commands: [.mirror, .thumbs, .adopt, .plan, .work, .merge, .export], isRecorded: false,
            essential: [.mirror, .thumbs, .adopt, .plan, .work, .merge],
            help: "Output folder (default for mirror: SOURCE-mirror)",
            longHelp: """
                The folder for the mirror, the thumbnails or the shards. It is created if it does not exist. By \
                default a mirror goes into the current folder and is named after SOURCE: demo-mirror for demo, \
                cats-mirror for lists/cats.txt. A run into an existing mirror continues where the last run stopped. \
                Except for adopt, it may be a location in a bucket, s3://BUCKET/PREFIX. \
                For plan it is the folder of the plan. work and merge use the folder mirror in the plan's folder by \
                default.
                """,
            apply: { $0.output.folder = try $1.singleLine("a folder name") }),
        Flag(
            long: "force", commands: [.mirror, .thumbs, .gallery], isRare: true,
            help: "Allow another user's folder, or rebuilding an intact ledger",
            longHelp: """
                Writes to a folder that belongs to another user and that further users may write to. By default such \
                a folder is refused, because those users could place links and files in the mirror. With `gallery \
                --rebuild`, replaces even an intact ledger.
                """,
            apply: { $0.mirror.allowsUntrustedFolder = $1.isOn }),
        Flag(
            long: "name", value: "TEMPLATE", commands: [.mirror], others: .anyone,
            help: "Name template for new files, e.g. '{author}/{seq:05}'",
            longHelp: """
                Names originals and thumbnails with the fields {seq} {id} {name} {slug} {caption} {author} \
                {collection} {feed} {page} {license} {width} {height}. {seq:05} has five digits, {caption:40} at \
                most forty letters, and a slash creates a folder. The template may end with .{ext}, the extension of \
                the actual format. Names are made safe for every file system. If two photos would get the same name, \
                the later one gets a short hash. A photo keeps its first name. The default is {seq:05}-{slug}, in \
                folders of a thousand from the 5000th photo on.
                """,
            apply: { $0.mirror.name = try $1.singleLine("a template") }),
        Flag(
            long: "no-originals", undo: "originals", commands: [.mirror], others: .anyone, essential: [.mirror],
            help: "Keep only the thumbnails",
            longHelp: """
                Removes each downloaded original after its thumbnails are made. Originals of earlier runs stay, and \
                new thumbnails are made from them.
                """,
            apply: { $0.mirror.keepsOriginals = !$1.isOn }),
        Flag(
            long: "xmp", commands: [.mirror], others: .anyone,
            help: "Write an XMP sidecar beside each original",
            longHelp: """
                Writes photo.jpg.xmp beside photo.jpg with the facts that the feed states: description, creator, \
                tags, date, credit, licence, page and address. Photo managers and ExifTool read it. Photos of earlier \
                runs get sidecars, too, without being downloaded again. A run rewrites a sidecar when the facts have \
                changed, but never one that another program has written or edited.
                """,
            apply: { $0.mirror.writesSidecars = $1.isOn }),
        Flag(
            long: "only-decodable", undo: "all-formats", commands: [.mirror], others: .anyone,
            help: "Reject files that Sluice cannot decode",
            longHelp: """
                Fails photos of formats that Sluice recognises but cannot decode, such as SVG, PSD and video, with the \
                cause unsupported, and photos that exceed --max-pixels or --memory. Without this option their \
                originals are kept and listed, with the reason why they have no thumbnail.
                """,
            apply: { $0.mirror.keepsUndecodable = !$1.isOn }),
        Flag(
            long: "fetch", value: .choice(of: MirrorOptions.Fetch.self), commands: [.mirror], others: .anyone,
            help: "How much to download without originals", default: MirrorOptions().fetch.rawValue,
            longHelp: """
                With enough and --no-originals, the download of a progressive JPEG stops after the scans that the \
                thumbnails need. That is often half of the file; the thumbnails differ slightly from those of the \
                whole file. With --quality-mode fast, the download of any JPEG stops after the preview in its EXIF \
                data, if that is as large as the thumbnails and has the photo's shape. Other files, photos with a \
                checksum in the feed, and files whose thumbnails need more than half of their width are downloaded \
                completely.
                """,
            apply: { $0.mirror.fetch = try $1.choice(of: MirrorOptions.Fetch.self) }),
        Flag(
            long: "no-share", undo: "share", commands: [.mirror], others: .anyone,
            help: "Store identical photos as separate files",
            longHelp: """
                Gives each photo a separate file, even if another photo has identical bytes. By default identical \
                bytes are stored once: on Btrfs and XFS the files share their blocks, elsewhere they are hard links \
                to one file. Sluice never writes into an existing file, but another program that does changes all of \
                them.
                """,
            apply: { $0.mirror.sharesContent = !$1.isOn }),
        Flag(
            long: "durability", value: .choice(of: Durability.self), commands: [.mirror, .thumbs], isRare: true,
            help: "When to flush files to disk", default: MirrorOptions().durability.rawValue,
            longHelp: """
                Photos that Sluice reports as done survive any end of the process. With batch, the default, they \
                also survive a power failure: files and receipts are committed together, after at most 64 photos or \
                one second, by flushing the whole disk. each flushes every file separately, which costs more but \
                does not wait for the data of other programs. none flushes nothing: after a power failure, files \
                with final names may be incomplete.
                """,
            apply: { $0.mirror.durability = try $1.choice(of: Durability.self) }),
        Flag(
            long: "no-gallery", undo: "gallery", commands: [.mirror, .thumbs], others: .anyone, essential: [.thumbs],
            help: "Do not write a gallery",
            longHelp: "Writes no gallery at the end of the run. `sluice gallery DIR` writes it later.",
            apply: { $0.mirror.writesGallery = !$1.isOn }),
        Flag(
            long: "parquet", commands: [.mirror, .thumbs, .gallery], others: .anyone,
            help: "Also write the manifest as manifest.parquet",
            longHelp: """
                Writes manifest.parquet beside manifest.jsonl and manifest.csv, with the columns of manifest.csv. \
                Once the file exists, later commands keep it current without this option. To stop that, delete it.
                """,
            apply: { $0.mirror.writesParquet = $1.isOn }),
        Flag(
            long: "rebuild", commands: [.gallery],
            help: "Rebuild a lost or damaged ledger",
            longHelp: """
                Rebuilds the ledger from manifest.jsonl and the files. A photo is done if its file matches the \
                manifest byte for byte; the next run processes the rest, and makes thumbnails again whose options \
                are unknown. The old ledger is kept next to the new one, in .sluice.
                """,
            apply: { $0[GalleryArguments.self].isRebuild = $1.isOn }),
        Flag(
            long: "quiet", short: "q",
            commands: [
                .mirror, .thumbs, .adopt, .plan, .work, .merge, .gallery, .verify, .duplicates, .export, .drift,
                .recheck, .bench,
            ],
            isRecorded: false, others: .anyone,
            help: "Print only errors and the final summary",
            longHelp: """
                Prints only errors that stop the run or a page, and the final summary, to standard error. The \
                summary counts failed photos, and the manifest lists them.
                """,
            apply: { $0.output.isQuiet = $1.isOn }),
        Flag(
            long: "if-changed", commands: [.mirror], isRecorded: false, others: .anyone,
            help: "Print nothing if there is nothing new",
            longHelp: """
                Prints only errors and the final summary, like --quiet but with its details, and nothing at all if the \
                run kept all photos. Under cron, mail therefore arrives only when there is something to read. A photo \
                that fails is reported by every run until it is done. The exit codes stay the same.
                """,
            apply: { $0.output.isQuietUnlessChanged = $1.isOn }),
        Flag(
            long: "verbose", short: "v", commands: [.mirror, .thumbs, .work, .merge], isRecorded: false,
            others: .anyone,
            help: "Print a line for each photo",
            longHelp: """
                Also prints the result of each photo and each failed attempt to standard error. Has no effect with \
                --quiet.
                """,
            apply: { $0.output.isVerbose = $1.isOn }),
        Flag(
            long: "json",
            commands: [
                .mirror, .thumbs, .adopt, .work, .merge, .verify, .explain, .duplicates, .diff, .drift, .recheck,
                .feeds,
            ],
            isRecorded: false, others: .anyone,
            help: "Print JSON to standard output",
            longHelp: """
                Prints each event of the run to standard output as one JSON object per line, with "schema":1 and \
                "event". Messages still go to standard error; if that is not a terminal, they are as few as with \
                --quiet. `sluice feeds show NAME --json` prints the recipe as a starting point for a new one.
                """,
            apply: { $0.output.isJSON = $1.isOn }),
        Flag(
            long: "markdown", commands: [.manual], isRecorded: false, settableFrom: .argumentsOnly,
            help: "Print the options as Markdown",
            longHelp: "Prints the options of every command as Markdown tables, as in Documentation/options.md.",
            apply: { $0[ManualArguments.self].isMarkdown = $1.isOn }),
        Flag(
            long: "schema", commands: [.manual], isRecorded: false, settableFrom: .argumentsOnly,
            help: "Print the JSON schema of option files",
            longHelp: "Prints the JSON schema of sluice.json, as in Documentation/sluice.schema.json.",
            apply: { $0[ManualArguments.self].isSchema = $1.isOn }),
    ]

    /// Options for traces and metrics of a run.
    static let diagnostics: [Flag] = [
        Flag(
            long: "warc", value: .file, commands: [.mirror, .export], isRecorded: false,
            help: "WARC of the HTTP exchanges of photos",
            longHelp: """
                Writes the requests and responses of all photos, their redirects and robots.txt to a WARC 1.1 file, for \
                web archives. FILE ends with .warc.gz, or with .warc for files without compression. The files are \
                named NAME-00001.warc.gz and so on, with up to 1 GB each, and NAME.cdxj is their index. Later runs \
                continue the series. Identical photos are stored once. An interrupted download begins again from its \
                first byte. `sluice export --layout wacz --warc FILE` packages the files.
                """,
            apply: { options, argument in
                guard ArchiveName(argument.text) != nil else {
                    throw InvalidValue("a file name that ends with .warc.gz or .warc")
                }
                options.mirror.archive = try argument.singleLine("a file name")
            }),
        Flag(
            long: "trace", value: .file, commands: thumbnailCommands, isRecorded: false, isRare: true,
            help: "Write a trace for Perfetto or Chrome",
            longHelp: """
                Writes the phases of each photo to FILE in Chrome's trace event format, for ui.perfetto.dev or \
                chrome://tracing. The file is complete JSON at every moment, also after Ctrl-C.
                """,
            apply: { $0.mirror.trace = try $1.singleLine("a file name") }),
        Flag(
            long: "metrics", value: .file, commands: thumbnailCommands + [.work], isRecorded: false, isRare: true,
            help: "Write Prometheus metrics every 5 s",
            longHelp: """
                Writes the metrics of the run to FILE in the Prometheus text format, every five seconds and at the \
                end. Each write replaces the whole file, as node_exporter's textfile collector expects. Those of `work` \
                have the label shard, and each shard needs a FILE of its own.
                """,
            apply: { $0.mirror.metrics = try $1.singleLine("a file name") }),
    ]
}

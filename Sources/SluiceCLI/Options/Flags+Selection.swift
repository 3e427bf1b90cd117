// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceModel

extension Flag {
    /// Options for how much of a feed to download, and which variant.
    static let selection: [Flag] = [
        Flag(
            long: "pages", short: "p", value: "N", commands: [.mirror], others: .anyone, essential: [.mirror],
            help: "Download at most N pages",
            longHelp: """
                Reads at most N pages of each feed. Without this option the run continues to the end of the feed.
                """,
            apply: { $0.mirror.pages = try $1.count() }),
        Flag(
            long: "sources", value: .file, commands: [.mirror], isRecorded: false, settableFrom: .argumentsOnly,
            help: "Also mirror the sources in FILE, one per line",
            longHelp: """
                Reads further SOURCE arguments from FILE, or from standard input for -: one on each line, without \
                quotes. Blank lines and lines that begin with # are skipped. The mirror records the sources, not the \
                name of FILE.
                """,
            // The resolver of settings reads the file.
            apply: { _ = try $1.singleLine("a file name") }),
        Flag(
            long: "depth", value: "N", commands: [.mirror], others: .anyoneUpTo(1),
            help: "Follow links of web pages N levels deep", default: "\(MirrorOptions().depth)",
            longHelp: """
                Also reads the pages that a web page or a site map links to, and the folders in a listing, up to N \
                levels deep. Sluice stays at the page's own host and port, obeys robots.txt, and reads at most 10,000 \
                pages. Numbered and further pages of the same listing are read without this option.
                """,
            apply: { $0.mirror.depth = try $1.count(from: 0) }),
        Flag(
            long: "no-details", undo: "details", commands: [.mirror], others: .anyone,
            help: "Take the thumbnails of an index, not the photos behind them",
            longHelp: """
                By default, Sluice reads the pages of the same host that the thumbnails of an index lead to, and takes \
                the photo of each in place of the thumbnail. With this option it takes the thumbnails.
                """,
            apply: { $0.mirror.readsDetails = !$1.isOn }),
        Flag(
            long: "per-page", value: "N", commands: [.mirror], others: .anyone,
            help: "Request N photos per page",
            longHelp: """
                Asks the feed for N photos per page. Without this option the feed's own page size applies. A service \
                may return fewer photos than requested.
                """,
            apply: { $0.mirror.perPage = try $1.count() }),
        Flag(
            long: "max-items", value: "N", commands: [.mirror], others: .anyone, essential: [.mirror, .plan],
            help: "Download at most N photos",
            longHelp: "Takes the first N photos of the feed, regardless of the page they are on.",
            apply: { $0.mirror.maxItems = try $1.count() }),
        Flag(
            long: "stop-after-seen", value: "N", commands: [.mirror], others: .anyone,
            help: "Stop after N consecutive photos that are already done",
            longHelp: """
                Stops reading the feed after N photos in a row that earlier runs finished. This suits feeds that \
                list new photos first, and mirrors that are updated often.
                """,
            apply: { $0.mirror.stopAfterSeen = try $1.count() }),
        Flag(
            long: "i-have-permission", commands: [.mirror],
            help: "Lift the download limit with the service's permission",
            longHelp: """
                Some services forbid systematic downloads without their permission. A run takes at most a few \
                hundred of their photos. This option removes that limit for users who have permission. `sluice feeds \
                show NAME` prints the rules.
                """,
            apply: { $0.mirror.hasPermission = $1.isOn }),
        Flag(
            long: "variant", value: "NAME", commands: [.mirror], others: .anyone,
            help: "Download this variant of each photo", default: "auto",
            longHelp: """
                Downloads the variant with this name, as the service calls it (raw, full, regular, small, thumb, \
                ...). With auto, the default, the feed chooses. With auto and --no-originals, Sluice takes the \
                smallest variant that is at least as large as the largest thumbnail, if the feed states the sizes.
                """,
            apply: { options, argument in
                let name = try argument.singleLine("a variant name")
                options.mirror.variant = name == "auto" ? nil : name
            }),
        Flag(
            long: "order", value: "WORD", commands: [.mirror], others: .anyone,
            help: "Request photos in this order, e.g. latest or popular",
            longHelp: "Requests the photos in an order that the service defines, for example latest or popular.",
            apply: { $0.mirror.order = try $1.singleLine("an order") }),
        Flag(
            long: "refresh", commands: [.mirror], isRecorded: false,
            help: "Check finished photos for newer versions",
            longHelp: """
                Asks the host of each finished photo for a newer version, and downloads the newer ones. A host that \
                supports conditional requests does not send an unchanged photo again.
                """,
            apply: { $0.mirror.refreshes = $1.isOn }),
        Flag(
            long: "min-size", value: "SIZE", commands: [.mirror], others: .anyone, essential: [.mirror],
            help: "Skip photos smaller than SIZE",
            longHelp: """
                Skips photos that are smaller than this size once upright: 800x600, 800 for both sides, or x600 for \
                the height alone. Sluice reads the size from the first bytes of a photo and does not download the \
                rest of a skipped one.
                """,
            apply: { $0.mirror.minSize = try $1.size() }),
        Flag(
            long: "aspect", value: "FROM..TO", commands: [.mirror], others: .anyone,
            help: "Skip photos outside this range of aspect ratios",
            longHelp: """
                Skips photos whose ratio of width to height, once upright, is outside the range, for example \
                1:2..2:1 or 1.3..1.8. A single ratio, for example 16/9, allows a difference of 1 percent. Like \
                --min-size, this needs only the first bytes of a photo.
                """,
            apply: { $0.mirror.aspect = try $1.aspectRatios() }),
        Flag(
            long: "blocklist", value: .file, commands: [.mirror, .export],
            help: "Keep no photo with a hash in this file or at this URL",
            longHelp: """
                Each line of the list has the SHA-256 of a file or the perceptual hash of a picture, as the manifest has \
                them; text after # is a comment. Photos on the list are not kept, and those in the mirror are removed \
                and recorded as skipped (blocked). No later run downloads them, except with --retry blocked. Perceptual \
                hashes that differ in at most \(Blocklist.maxDistance) bits count. FILE may be an https address. An \
                export leaves these photos out.
                """,
            apply: { $0.mirror.blocklist = try $1.singleLine("a file name or an address") }),
        Flag(
            long: "skip-similar", commands: [.mirror], others: .anyone,
            help: "Skip new photos that are copies of others",
            longHelp: """
                Compares new photos with those of the mirror and with each other at the end of the run, like `sluice \
                duplicates`. Photos of earlier runs stay, and the best of new copies; the others are removed and \
                recorded as skipped (duplicate), so that no later run downloads them. `--retry duplicate` gets them \
                back. A dry run cannot know them.
                """,
            apply: { $0.mirror.skipsSimilar = $1.isOn }),
    ]

    /// Options that filter photos or describe the columns of a list.
    static let filtering: [Flag] = [
        Flag(
            long: "range", value: "RANGES", commands: [.mirror], others: .anyone,
            help: "Select photos by position, e.g. 1-100,200-",
            longHelp: """
                Selects photos by their position in the feed, counted from 1, for example 7, 1-100 or 200-. Separate \
                ranges with commas. The run stops reading the feed after the last position.
                """,
            apply: { $0.mirror.selection.positions = try $1.positions() }),
        Flag(
            long: "filter", value: "CONDITION", commands: [.mirror], others: .anyone, essential: [.mirror, .plan],
            help: "Select photos that match a condition, e.g. 'width>=1000'",
            longHelp: """
                Selects photos that match a condition, for example 'width>=1000 && license~"CC"'. Fields have the names \
                used in the manifest (id, url, width, height, date, caption, author, license, collection, ...). The \
                operators ==, !=, <, <=, > and >= compare values; ~ and !~ search for text and ignore case. A field \
                name alone tests whether the field is present. &&, ||, ! and parentheses combine conditions.
                """,
            apply: { $0.mirror.selection.filter = try $1.filter() }),
        Flag(
            long: "collection", value: "NAME", commands: [.mirror], isRepeatable: true, others: .anyone,
            help: "Select photos of this collection; repeatable",
            longHelp: """
                Selects photos of the collection with this name, ignoring case. Repeat the option to select several \
                collections.
                """,
            apply: { $0.mirror.selection.collections.append(try $1.singleLine("a collection name")) }),
        Flag(
            long: "since", value: "DATE", commands: [.mirror], others: .anyone,
            help: "Select photos published since DATE, e.g. 2026-01-31",
            longHelp: """
                Selects photos published at this time or later, for example 2026-01-31 or 2026-01-31T09:30Z. Photos \
                without a date in the feed are left out, and a note reports this.
                """,
            apply: { $0.mirror.selection.since = try $1.date() }),
        Flag(
            long: "url-column", value: "NAME", commands: [.mirror], others: .anyone,
            help: "List column that contains the URLs",
            longHelp: """
                Names the table column, or the member of JSON objects, that contains the photo URLs. By default \
                Sluice looks for a common name: url, image_url, src, link, ...
                """,
            apply: { $0.mirror.list.urlColumn = try $1.singleLine("a column name") }),
        Flag(
            long: "id-column", value: "NAME", commands: [.mirror], others: .anyone,
            help: "List column that contains the photo ids",
            longHelp: """
                Names the table column, or the member of JSON objects, that identifies a photo. By default Sluice \
                uses a column named id or key, and otherwise the URL.
                """,
            apply: { $0.mirror.list.idColumn = try $1.singleLine("a column name") }),
        Flag(
            long: "caption-column", value: "NAME", commands: [.mirror], others: .anyone,
            help: "List column that contains the captions",
            longHelp: """
                Names the table column, or the member of JSON objects, that contains the photos' captions. By default \
                Sluice looks for a common name: caption, description, title, text, ...
                """,
            apply: { $0.mirror.list.captionColumn = try $1.singleLine("a column name") }),
        Flag(
            long: "columns", value: "NAMES", commands: [.mirror], others: .anyone,
            help: "List columns to keep: all, none or names", default: "all",
            longHelp: """
                Chooses the columns of a table, or the members of JSON objects, that Sluice keeps besides those that \
                are facts of a photo. They go to the ledger, the manifest, the gallery and exports, and `--filter` \
                tests them as columns.NAME. Separate several names by commas.
                """,
            apply: { options, argument in
                let text = try argument.singleLine("column names")
                options.mirror.list.keptColumns =
                    switch text {
                    case "all": nil
                    case "none": []
                    default: text.split(separator: ",").map { String($0) }
                    }
            }),
        Flag(
            long: "dry-run", commands: [.mirror, .adopt, .thumbs, .duplicates, .recheck, .export], isRecorded: false,
            essential: [.mirror, .adopt],
            help: "Print what would be done without doing it",
            longHelp: """
                Performs the same run with the same options and checks, but stores nothing and requests no photo. `mirror` \
                reads the feed, and prints one line in manifest format for each photo that it would download or remove, or \
                a table on a terminal. `adopt` prints the match for each file of its folder. `thumbs` and `export` read \
                and decode the photos. `recheck` asks the hosts, and `duplicates` compares the photos; both change nothing. \
                A copy of the ledger is in TMPDIR meanwhile.
                """,
            apply: { $0.isDryRun = $1.isOn }),
        Flag(
            long: "forecast", commands: [.mirror], isRecorded: false,
            help: "Estimate photos, bytes, requests and time first",
            longHelp: """
                Reads a list, or the first pages of another source, downloads up to four photos of each of ten hosts \
                without keeping them, and prints what the run would take by host: photos, bytes and their uncertainty, \
                requests and time, and which limit decides. All limits for hosts apply. With --dry-run, the command then \
                ends. Otherwise it begins the run, whose summary compares the forecast with the result.
                """,
            apply: { $0[MirrorArguments.self].forecasts = $1.isOn }),
    ]
}

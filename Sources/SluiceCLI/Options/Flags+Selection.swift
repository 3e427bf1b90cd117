// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceModel

extension Flag {
    /// Options for how much of a feed to download, and which variant.
    static let selection: [Flag] = [
        Flag(
            "pages", short: "p", .count(\.mirror.pages), [.mirror], others: .anyone, essential: [.mirror],
            "Download at most N pages",
            "Reads at most N pages of each feed. Without this option the run continues to the end of the feed."),
        // The resolver of settings reads the file.
        Flag(
            "sources", .custom(.file) { _ = try $1.singleLine("a file name") }, [.mirror], settableFrom: .argumentsOnly,
            "Also mirror the sources in FILE, one per line",
            """
            Reads further SOURCE arguments from FILE, or from standard input for -: one on each line, without quotes. \
            Blank lines and lines that begin with # are skipped. The mirror records the sources, not the name of FILE.
            """),
        Flag(
            "depth", .count(\.mirror.depth, from: 0), [.mirror], others: .anyoneUpTo(1),
            "Follow links of web pages N levels deep",
            """
            Also reads the pages that a web page or a site map links to, and the folders in a listing, up to N levels \
            deep. Sluice stays at the page's own host and port, obeys robots.txt, and reads at most 10,000 pages. \
            Numbered and further pages of the same listing are read without this option.
            """),
        Flag(
            "no-details", .off(\.mirror.readsDetails), undo: "details", [.mirror], others: .anyone,
            "Take the thumbnails of an index, not the photos behind them",
            """
            By default, Sluice reads the pages of the same host that the thumbnails of an index lead to, and takes the \
            photo of each in place of the thumbnail. With this option it takes the thumbnails.
            """),
        Flag(
            "per-page", .count(\.mirror.perPage), [.mirror], others: .anyone, "Request N photos per page",
            """
            Asks the feed for N photos per page. Without this option the feed's own page size applies. A service may \
            return fewer photos than requested.
            """),
        Flag(
            "max-items", .count(\.mirror.maxItems), [.mirror], others: .anyone, essential: [.mirror, .plan],
            "Download at most N photos", "Takes the first N photos of the feed, regardless of the page they are on."),
        Flag(
            "stop-after-seen", .count(\.mirror.stopAfterSeen), [.mirror], others: .anyone,
            "Stop after N consecutive photos that are already done",
            """
            Stops reading the feed after N photos in a row that earlier runs finished. This suits feeds that list new \
            photos first, and mirrors that are updated often.
            """),
        Flag(
            "i-have-permission", .on(\.mirror.hasPermission), [.mirror],
            "Lift the download limit with the service's permission",
            """
            Some services forbid systematic downloads without their permission. A run takes at most a few hundred of \
            their photos. This option removes that limit for users who have permission. `sluice feeds show NAME` \
            prints the rules.
            """),
        Flag(
            "variant",
            .value("NAME", \.mirror.variant) { $0.text == "auto" ? nil : try $0.singleLine("a variant name") },
            [.mirror], others: .anyone, default: "auto", "Download this variant of each photo",
            """
            Downloads the variant with this name, as the service calls it (raw, full, regular, small, thumb, ...). \
            With auto, the default, the feed chooses. With auto and --no-originals, Sluice takes the smallest variant \
            that is at least as large as the largest thumbnail, if the feed states the sizes.
            """),
        Flag(
            "order", .text("WORD", \.mirror.order, "an order"), [.mirror], others: .anyone,
            "Request photos in this order, e.g. latest or popular",
            "Requests the photos in an order that the service defines, for example latest or popular."),
        Flag(
            "refresh", .on(\.mirror.refreshes), [.mirror], isRecorded: false,
            "Check finished photos for newer versions",
            """
            Asks the host of each finished photo for a newer version, and downloads the newer ones. A host that \
            supports conditional requests does not send an unchanged photo again.
            """),
        Flag(
            "min-size", .value("SIZE", \.mirror.minSize) { try $0.size() }, [.mirror], others: .anyone,
            essential: [.mirror], "Skip photos smaller than SIZE",
            """
            Skips photos that are smaller than this size once upright: 800x600, 800 for both sides, or x600 for the \
            height alone. Sluice reads the size from the first bytes of a photo and does not download the rest of a \
            skipped one.
            """),
        Flag(
            "aspect", .value("FROM..TO", \.mirror.aspect) { try $0.aspectRatios() }, [.mirror], others: .anyone,
            "Skip photos outside this range of aspect ratios",
            """
            Skips photos whose ratio of width to height, once upright, is outside the range, for example 1:2..2:1 or \
            1.3..1.8. A single ratio, for example 16/9, allows a difference of 1 percent. Like --min-size, this needs \
            only the first bytes of a photo.
            """),
        Flag(
            "blocklist", .text(.file, \.mirror.blocklist, "a file name or an address"), [.mirror, .export],
            "Keep no photo with a hash in this file or at this URL",
            """
            Each line of the list has the SHA-256 of a file or the perceptual hash of a picture, as the manifest has \
            them; text after # is a comment. Photos on the list are not kept, and those in the mirror are removed and \
            recorded as skipped (blocked). No later run downloads them, except with --retry blocked. Perceptual hashes \
            that differ in at most \(Blocklist.maxDistance) bits count. FILE may be an https address. An export leaves \
            these photos out.
            """),
        Flag(
            "skip-similar", .on(\.mirror.skipsSimilar), [.mirror], others: .anyone,
            "Skip new photos that are copies of others",
            """
            Compares new photos with those of the mirror and with each other at the end of the run, like `sluice \
            duplicates`. Photos of earlier runs stay, and the best of new copies; the others are removed and recorded \
            as skipped (duplicate), so that no later run downloads them. `--retry duplicate` gets them back. A dry run \
            cannot know them.
            """),
    ]

    /// Options that filter photos or describe the columns of a list.
    static let filtering: [Flag] = [
        Flag(
            "range", .value("RANGES", \.mirror.selection.positions) { try $0.positions() }, [.mirror], others: .anyone,
            "Select photos by position, e.g. 1-100,200-",
            """
            Selects photos by their position in the feed, counted from 1, for example 7, 1-100 or 200-. Separate \
            ranges with commas. The run stops reading the feed after the last position.
            """),
        Flag(
            "filter", .value("CONDITION", \.mirror.selection.filter) { try $0.filter() }, [.mirror], others: .anyone,
            essential: [.mirror, .plan], "Select photos that match a condition, e.g. 'width>=1000'",
            """
            Selects photos that match a condition, for example 'width>=1000 && license~"CC"'. Fields have the names \
            used in the manifest (id, url, width, height, date, caption, author, license, collection, ...). The \
            operators ==, !=, <, <=, > and >= compare values; ~ and !~ search for text and ignore case. A field name \
            alone tests whether the field is present. &&, ||, ! and parentheses combine conditions.
            """),
        Flag(
            "collection", .list("NAME", \.mirror.selection.collections) { try $0.singleLine("a collection name") },
            [.mirror], others: .anyone, "Select photos of this collection; repeatable",
            """
            Selects photos of the collection with this name, ignoring case. Repeat the option to select several \
            collections.
            """),
        Flag(
            "since", .value("DATE", \.mirror.selection.since) { try $0.date() }, [.mirror], others: .anyone,
            "Select photos published since DATE, e.g. 2026-01-31",
            """
            Selects photos published at this time or later, for example 2026-01-31 or 2026-01-31T09:30Z. Photos \
            without a date in the feed are left out, and a note reports this.
            """),
        Flag(
            "url-column", .text("NAME", \.mirror.list.urlColumn, "a column name"), [.mirror], isUnique: true,
            others: .anyone,
            "List column that contains the URLs",
            """
            Names the table column, or the member of JSON objects, that contains the photo URLs. By default Sluice \
            looks for a common name: url, image_url, src, link, ...
            """),
        Flag(
            "id-column", .text("NAME", \.mirror.list.idColumn, "a column name"), [.mirror], isUnique: true,
            others: .anyone,
            "List column that contains the photo ids",
            """
            Names the table column, or the member of JSON objects, that identifies a photo. By default Sluice uses a \
            column named id or key, and otherwise the URL.
            """),
        Flag(
            "caption-column", .text("NAME", \.mirror.list.captionColumn, "a column name"), [.mirror], isUnique: true,
            others: .anyone,
            "List column that contains the captions",
            """
            Names the table column, or the member of JSON objects, that contains the photos' captions. By default \
            Sluice looks for a common name: caption, description, title, text, ...
            """),
        Flag(
            "columns",
            .value("NAMES", \.mirror.list.keptColumns) {
                if $0.text == "all" { return nil }
                return try $0.singleLine("column names") == "none" ? [] : $0.text.split(separator: ",").map(String.init)
            }, [.mirror], others: .anyone, default: "all", "List columns to keep: all, none or names",
            """
            Chooses the columns of a table, or the members of JSON objects, that Sluice keeps besides those that are \
            facts of a photo. They go to the ledger, the manifest, the gallery and exports, and `--filter` tests them \
            as columns.NAME. Separate several names by commas.
            """),
        Flag(
            "dry-run", .on(\.isDryRun), [.mirror, .adopt, .thumbs, .duplicates, .recheck, .export], isRecorded: false,
            essential: [.mirror, .adopt], "Print what would be done without doing it",
            """
            Performs the same run with the same options and checks, but stores nothing and requests no photo. `mirror` \
            reads the feed, and prints one line in manifest format for each photo that it would download or remove, or \
            a table on a terminal. `adopt` prints the match for each file of its folder. `thumbs` and `export` read \
            and decode the photos. `recheck` asks the hosts, and `duplicates` compares the photos; both change \
            nothing. A copy of the ledger is in TMPDIR meanwhile.
            """),
        Flag(
            "explain", .on(\.mirror.explainsPictures), [.mirror], isRecorded: false,
            "Say why pictures of web pages are photos",
            """
            Prints for each picture that a web page shows or names whether it is a photo, is another rendition of one, \
            or is left out, with the evidence and its weights. Try it with --dry-run.
            """),
        Flag(
            "forecast", .on(\.update.forecasts), [.mirror], isRecorded: false,
            "Estimate photos, bytes, requests and time first",
            """
            Reads a list, or the first pages of another source, downloads up to four photos of each of ten hosts \
            without keeping them, and prints what the run would take by host: photos, bytes and their uncertainty, \
            requests and time, and which limit decides. All limits for hosts apply. With --dry-run, the command then \
            ends. Otherwise it begins the run, whose summary compares the forecast with the result.
            """),
    ]
}

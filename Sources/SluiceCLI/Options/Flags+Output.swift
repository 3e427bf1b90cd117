// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// What is written, and where.
    static let output: [Flag] = [
        Flag(
            long: "out", short: "o", value: Placeholder("DIR", .folder), category: .output,
            commands: [.mirror, .thumbs, .adopt, .export], isLasting: false,
            help: "The folder to fill (default of mirror: SOURCE-mirror)",
            longHelp: """
                The folder of the mirror, of the thumbnails or of the shards; it is made if need be. A mirror's lies in the current one \
                if none is given, and is named after SOURCE: demo-mirror for demo, cats-mirror for lists/cats.txt. The \
                same folder again goes on where the last run ended.
                """,
            apply: { (options, argument) throws(Refusal) in options.out = try argument.line("a folder's name") }),
        Flag(
            long: "force", category: .output, commands: [.mirror, .thumbs],
            help: "Fill a folder of another user's, too",
            longHelp: """
                Fills a folder that belongs to another user and that still others may write to. Without it such a folder is \
                refused, because whoever may write there could plant links and files in the mirror.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.mayShareFolder = argument.isOn }),
        Flag(
            long: "name", value: Placeholder("TEMPLATE"), category: .output, commands: [.mirror],
            help: "Name new files so, such as '{author}/{seq:05}-{slug}'",
            longHelp: """
                Names originals and thumbnails by the fields {seq} {id} {name} {slug} {caption} {author} {collection} {feed} \
                {page} {license} {width} {height}; {seq:05} has five digits, {caption:40} forty letters at most, a slash \
                makes a folder, and .{ext}, which is what the content is, may stand at the end. Names are made safe for \
                every file system, and of two that would be one the later gets a short hash. A photo keeps the name that it \
                was given first. The default is {seq:05}-{slug}, in folders of a thousand from the 5000th photo on.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.name = try argument.line("a template") }),
        Flag(
            long: "no-originals", undo: "originals", category: .output, commands: [.mirror],
            help: "Keep the thumbnails only",
            longHelp: "Removes each original once its thumbnails are made.",
            apply: { (options, argument) throws(Refusal) in options.mirror.keepsOriginals = !argument.isOn }),
        Flag(
            long: "no-share", undo: "share", category: .output, commands: [.mirror],
            help: "Keep the same bytes once for each photo",
            longHelp: """
                Gives each photo a file of its own, also where another has the same bytes. Without it such bytes are kept once: \
                on Btrfs and XFS the files share their blocks, elsewhere one file gets all the names (hard links). Sluice never \
                writes into a file that stands, but another program that does changes all of them.
                """,
            apply: { (options, argument) throws(Refusal) in options.mirror.sharesContent = !argument.isOn }),
        Flag(
            long: "durability", value: .choice(of: Durability.self), category: .output, commands: [.mirror, .thumbs],
            help: "What outlives a power cut (default batch)",
            longHelp: """
                What is told as done outlives the process, however it ends. With batch, the default, it outlives a power \
                cut too: files and receipts are made safe together, after 64 photos or a second at most, by a flush of \
                the whole disk. With each every file is flushed by itself: that costs more, but not the time of what other \
                programs have written. With none nothing is flushed: a power cut may leave torn files under whole names.
                """,
            apply: { (options, argument) throws(Refusal) in
                options.mirror.durability = try argument.choice(of: Durability.self)
            }),
        Flag(
            long: "no-gallery", undo: "gallery", category: .output, commands: [.mirror, .thumbs],
            help: "Write no gallery",
            longHelp: "Writes no gallery at the end. `sluice gallery DIR` writes it later.",
            apply: { (options, argument) throws(Refusal) in options.mirror.writesGallery = !argument.isOn }),
        Flag(
            long: "rebuild", category: .output, commands: [.gallery],
            help: "Make a lost or damaged ledger anew",
            longHelp: """
                Makes the ledger anew, from manifest.jsonl and the files: a photo is done if its file is as the manifest \
                says, byte for byte, and the next run takes up the rest. The old ledger is kept beside it, in .sluice.
                """,
            apply: { (options, argument) throws(Refusal) in options.isRebuild = argument.isOn }),
        Flag(
            long: "quiet", short: "q", category: .output,
            commands: [.mirror, .thumbs, .adopt, .gallery, .verify, .duplicates, .export, .bench],
            isLasting: false,
            help: "Only trouble and the closing sentence",
            longHelp: """
                Tells on standard error only what stops the run or a page, and the closing sentence. Failed photos are \
                counted there, and listed in the manifest.
                """,
            apply: { (options, argument) throws(Refusal) in options.isQuiet = argument.isOn }),
        Flag(
            long: "verbose", short: "v", category: .output, commands: [.mirror, .thumbs], isLasting: false,
            help: "A line for each photo",
            longHelp: """
                Tells on standard error each photo's end and each attempt that failed, beside what is told without it. With \
                --quiet it changes nothing.
                """,
            apply: { (options, argument) throws(Refusal) in options.isVerbose = argument.isOn }),
        Flag(
            long: "json", category: .output,
            commands: [.mirror, .thumbs, .adopt, .verify, .explain, .duplicates, .diff, .feeds],
            isLasting: false,
            help: "JSON to standard output: events, findings, a recipe",
            longHelp: """
                Writes each event of the run to standard output as one JSON object a line, each with "schema":1 and \
                "event". Words for people stay on standard error; where that is no terminal they are as few as with \
                --quiet. `sluice feeds show NAME --json` prints the recipe, to copy and change.
                """,
            apply: { (options, argument) throws(Refusal) in options.isJSON = argument.isOn }),
        Flag(
            long: "markdown", category: .output, commands: [.manual], isLasting: false, reach: .argumentsAlone,
            help: "Write the options as Markdown",
            longHelp: "Writes the options of every command as Markdown tables, as they stand in the README.",
            apply: { (options, argument) throws(Refusal) in options.isMarkdown = argument.isOn }),
        Flag(
            long: "schema", category: .output, commands: [.manual], isLasting: false, reach: .argumentsAlone,
            help: "Write the JSON schema of files of options",
            longHelp: "Writes the JSON schema of sluice.json, as it stands in Documentation.",
            apply: { (options, argument) throws(Refusal) in options.isSchema = argument.isOn }),
    ]
}

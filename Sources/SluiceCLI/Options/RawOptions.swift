// SPDX-License-Identifier: MIT

internal import Sluice

/// What the command line says, each value read and checked for itself.
///
/// What values must be together is checked where a command turns them into its request: see ``MirrorRequest``.
struct RawOptions: Sendable {
    /// What was asked for in place of the command's work.
    enum Request: Sendable, Hashable {
        case help(HelpLength)
        case version
        case settings
    }

    /// The arguments that are no options.
    var positionals: [String] = []
    /// The options as they were given, each behind what counts for less.
    var settings: [Setting] = []
    /// A file of options, if one was named; `none` for no file at all.
    var config: String?
    /// What a mirror run is asked to do.
    var mirror = MirrorOptions()
    /// Whether the SOURCE is not given, but that of the mirror's last command.
    var goesOn = false
    /// Whether only what would be fetched is printed.
    var isDryRun = false
    /// Whether `mirror` removes what the feed lists no more.
    var prunes = false
    /// The most of that, of a hundred photos.
    var pruneLimit = PruneOptions().limit
    /// Whether `verify` decodes every picture.
    var isDeep = false
    /// Whether `verify` repairs what it finds.
    var repairs = false
    /// In how many bits hashes of photos that look alike may differ.
    var distance = 4
    /// Whether `duplicates` keeps the same bytes once.
    var merges = false
    /// What `export` puts into its shards.
    var dataset = DatasetOptions()
    /// How many photos `thumbs` decodes at once, if that was given.
    var jobs: Int?
    /// Whether pictures are decoded in processes of their own, if that was said; the commands have different defaults.
    var isolates: Bool?
    /// The most bytes of a file, if that was given; the commands have different defaults.
    var maxBytes: Int?
    /// The file of a style sheet for the gallery, if one was given.
    var style: String?
    /// The folder to fill, if it was given.
    var out: String?
    /// Where a mirror is served.
    var serving = MirrorServer.Options()
    /// What `bench` measures, and where results go.
    var bench = BenchWords()
    /// Whether only trouble and the end are told.
    var isQuiet = false
    /// Whether each photo's end is told.
    var isVerbose = false
    /// Whether events are written as JSON Lines.
    var isJSON = false
    /// Whether the ledger is made anew.
    var isRebuild = false
    /// Whether the manual is wanted as Markdown.
    var isMarkdown = false
    /// Whether the schema of files of options is wanted in the manual's place.
    var isSchema = false
    /// When words are coloured.
    var color = ColorChoice.auto
    /// Help or the version, if either was asked for.
    var request: Request?
}

/// When words are coloured.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

/// How much help is wanted.
enum HelpLength: Sendable, Hashable {
    case short, long
}

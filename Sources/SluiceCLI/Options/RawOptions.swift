// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

/// The parsed options and arguments of a command line, each validated on its own.
///
/// Commands validate combinations of options when they build their requests: see ``MirrorRequest``.
struct RawOptions: Sendable {
    /// Output that the user requested instead of running the command.
    enum Request: Sendable, Hashable {
        case help(HelpLength)
        case version
        case settings
    }

    /// The arguments that are not options.
    var positionals: [String] = []
    /// The options in the order in which they were applied; a later one overrides an earlier one.
    var settings: [Setting] = []
    /// The file of options from `--config`; `none` disables all files.
    var config: String?
    /// The options of a mirror run.
    var mirror = MirrorOptions()
    /// Whether SOURCE and options come from the last command of the mirror.
    var continuesMirror = false
    var isDryRun = false
    /// Whether `mirror` removes photos that are no longer in the feed.
    var prunes = false
    /// The largest share of photos to remove, in percent.
    var pruneLimit = PruneOptions().limit
    /// Whether `verify` decodes every picture.
    var isDeep = false
    /// Whether `verify` repairs the faults that it finds.
    var repairs = false
    /// The number of bits in which the hashes of similar photos may differ.
    var distance = 4
    /// Whether `duplicates` stores identical files only once.
    var merges = false
    /// The number of shards of `plan`.
    var shardCount: ShardCount?
    /// The plan whose leftovers `plan` plans.
    var leftovers: String?
    /// The mirror of that plan.
    var mirrorOfLeftovers: String?
    /// The shard of `work`, from 0.
    var shard: Int?
    /// How `work` notices that the program that started it is gone.
    var lifeline: Lifeline?
    /// How long `work` waits for an attempt that another process works on.
    var lockWait = Duration.zero
    /// Whether `merge` goes ahead although shards are missing.
    var allowsMissing = false
    /// The share of the photos that `drift` asks for, in percent.
    var sample = 100.0
    /// Whether `drift` prints a page instead of lines.
    var printsPage = false
    /// The changes of a lock's photos that `mirror` accepts.
    var acceptedStates: Set<LockedState> = []
    /// The options of `export`.
    var dataset = DatasetOptions()
    /// The number of photos that `thumbs` decodes concurrently; `nil` for the number of cores.
    var jobs: Int?
    /// Whether to decode in sandboxed processes; `nil` for the default of the command.
    var isolates: Bool?
    /// Whether decode workers may lack essential protections.
    var acceptsWeakSandbox = false
    /// The maximum size of a file in bytes; `nil` for the default of the command.
    var maxBytes: Int?
    /// The path of a style sheet for the gallery; empty to remove the current one.
    var style: String?
    /// The output folder.
    var out: String?
    /// The saved reply that `feeds check` reads with a recipe.
    var reply: String?
    /// The options of `serve`.
    var serving = MirrorServer.Options()
    /// The options of `bench`.
    var bench = BenchArguments()
    /// Whether to print only errors and the final summary.
    var isQuiet = false
    /// Whether to print a line for each photo.
    var isVerbose = false
    /// Whether to print JSON Lines to standard output.
    var isJSON = false
    /// Whether `gallery` rebuilds the ledger first.
    var isRebuild = false
    /// Whether `manual` prints the options as Markdown.
    var isMarkdown = false
    /// Whether `manual` prints the JSON schema of option files.
    var isSchema = false
    var color = ColorChoice.auto
    var request: Request?
}

extension RawOptions {
    /// Returns the options that all kinds of runs share, with the defaults of a command.
    ///
    /// `mirror` decodes in sandboxed processes by default, because it downloads its photos.
    func runOptions(
        of command: CommandName, _ arguments: [String], maxBytes standard: Int
    ) throws(UsageError) -> RunOptions {
        let thumbnails = mirror.thumbnails
        if thumbnails.isLossless, !thumbnails.sizes.isEmpty, !thumbnails.format.canBeLossless {
            throw UsageError("--lossless needs --format webp or --format avif")
        }
        var options = mirror.run
        options.maxBytes = maxBytes ?? standard
        options.appearance = try galleryAppearance()
        options.commandLine = recordedArguments(of: command, arguments)
        options.unreportedWords = unreportedArguments
        options.givenOptions = effectiveSettings.map { RunReport.Setting($0.flag.long, $0.displayedValue) }
        options.isolation = isolation(isDefault: command == .mirror)
        return options
    }

    /// Where pictures are decoded; `isDefault` says whether the command isolates decoders unless told otherwise.
    func isolation(isDefault: Bool) -> Isolation {
        guard isolates ?? isDefault else { return .none }
        return acceptsWeakSandbox ? .ownWorkers.acceptingWeakSandbox : .ownWorkers
    }
}

/// The short help of `-h`, or the long help of `--help`.
enum HelpLength: Sendable, Hashable {
    case short, long
}

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

/// The parsed arguments of a command line, each validated on its own.
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
    var color = ColorChoice.auto
    var request: Request?
    /// Whether SOURCE and options come from the last command of the mirror.
    var continuesMirror = false
    /// The values of a run: photo selection, thumbnails, limits, network, and access to buckets.
    var mirror = MirrorOptions()
    var output = OutputArguments()
    /// How a command decodes pictures.
    var decoding = DecodingArguments()
    /// Whether to find out what the command would do instead of doing it.
    var isDryRun = false
    var update = UpdateArguments()
    var verify = VerifyArguments()
    var duplicates = DuplicatesArguments()
    /// The share of the photos to look at, in percent; `nil` for the command's default.
    var sampleShare: Double?
    /// Whether `drift` prints a page instead of lines.
    var printsPage = false
    /// The saved reply that `feeds check` reads with a recipe.
    var savedReply: String?
    var gallery = GalleryArguments()
    var dataset = DatasetOptions()
    /// Whether `export` packages a web archive.
    var isWebArchive = false
    var plan = PlanArguments()
    var work = WorkArguments()
    var merge = MergeArguments()
    var server = MirrorServer.Options()
    var bench = BenchArguments()
    var manual = ManualArguments()

    /// The beginning of messages about work that a dry run does not do.
    var dryRunPrefix: String { isDryRun ? "dry run: " : "" }
}

struct OutputArguments {
    var folder: String?
    /// Whether to print only errors and the final summary.
    var isQuiet = false
    /// Whether to print nothing if the run found nothing new.
    var isQuietUnlessChanged = false
    /// Whether to print a line for each photo.
    var isVerbose = false
    /// Whether to print JSON Lines to standard output.
    var isJSON = false
}

/// The arguments for decoding pictures whose defaults depend on the command.
struct DecodingArguments {
    /// The number of photos that are decoded concurrently; `nil` for the number of cores.
    var jobs: Int?
    /// Whether to decode in sandboxed processes; `nil` for the default of the command.
    var isolates: Bool?
    /// Whether decode workers may lack essential protections.
    var acceptsWeakSandbox = false
    /// The maximum size of a file in bytes; `nil` for the default of the command.
    var maxBytes: Int?

    /// Where pictures are decoded; `isDefault` says whether the command isolates decoders unless told otherwise.
    func isolation(isDefault: Bool) -> Isolation {
        guard isolates ?? isDefault else { return .none }
        return acceptsWeakSandbox ? .ownWorkers.acceptingWeakSandbox : .ownWorkers
    }
}

extension RawOptions {
    /// Returns the options that all kinds of runs share, with the defaults of a command.
    ///
    /// `mirror` decodes in sandboxed processes by default, because it downloads its photos.
    func runOptions(
        of command: CommandName, _ arguments: [String], maxBytes standard: Int
    ) throws(UsageError) -> RunOptions {
        // Readers of recorded settings leave these out or ask the user. This check catches a reader that forgets it.
        if let refused = settings.first(where: { !$0.isPermitted }) {
            throw UsageError("\(refused.source.description) may not set \([refused].words.joined())")
        }
        let thumbnails = mirror.thumbnails
        if thumbnails.isLossless, !thumbnails.sizes.isEmpty, !thumbnails.format.canBeLossless {
            throw UsageError("--lossless needs --format webp or --format avif")
        }
        var options = mirror.run
        options.maxBytes = decoding.maxBytes ?? standard
        options.appearance = try galleryAppearance()
        options.commandLine = recordedArguments(of: command, arguments)
        options.unreportedWords = unreportedArguments
        options.givenOptions = effectiveSettings.map { RunReport.Setting($0.flag.long, $0.displayedValue) }
        options.isolation = decoding.isolation(isDefault: command == .mirror)
        return options
    }
}

/// The short help of `-h`, or the long help of `--help`.
enum HelpLength: Sendable, Hashable {
    case short, long
}

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

/// A group of arguments: those of one command, or those that several commands share.
protocol ArgumentGroup: Sendable {
    /// Makes the arguments of an empty command line.
    init()
}

/// The parsed arguments of a command line, each validated on its own.
///
/// The options of a command are in its own group, for example `options[VerifyArguments.self]`, and in shared groups.
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
    private var groups: [ObjectIdentifier: any ArgumentGroup] = [:]

    /// The arguments of a group.
    subscript<Group: ArgumentGroup>(_ type: Group.Type) -> Group {
        get { groups[ObjectIdentifier(type)] as? Group ?? Group() }
        set { groups[ObjectIdentifier(type)] = newValue }
    }

    /// The output of a command.
    var output: OutputArguments {
        get { self[OutputArguments.self] }
        set { self[OutputArguments.self] = newValue }
    }

    /// Whether to find out what the command would do instead of doing it.
    var isDryRun: Bool {
        get { self[MirrorArguments.self].isDryRun }
        set { self[MirrorArguments.self].isDryRun = newValue }
    }

    /// The beginning of messages about work that a dry run does not do.
    var dryRunPrefix: String { isDryRun ? "dry run: " : "" }

    /// How a command decodes pictures.
    var decoding: DecodingArguments {
        get { self[DecodingArguments.self] }
        set { self[DecodingArguments.self] = newValue }
    }
}

/// The arguments for the output of a command.
struct OutputArguments: ArgumentGroup {
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
struct DecodingArguments: ArgumentGroup {
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

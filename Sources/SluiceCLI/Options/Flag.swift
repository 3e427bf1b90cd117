// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// A command-line option: the single definition for the parser, the help, the completions and the manual.
///
/// To add an option, add one entry to the file of its category. An option that is a value of a run also has one entry
/// beside that value, in `MirrorOptions.fields`, which says what it affects. Nothing else has to change.
struct Flag: Sendable {
    /// The name without its dashes.
    let long: String
    let short: Character?
    /// Older names that still work.
    ///
    /// Help and completions do not list them.
    let aliases: [String]
    private let setting: FlagValue
    /// The value of an option that is given without one; `nil` if it must have one.
    let implied: String?
    /// The name that reverses an option without a value, for example `no-gallery`.
    let undo: String?
    /// The heading that lists the option in help; unless the option states it, the list in ``all`` sets it.
    var category: Category
    /// The commands that accept the option.
    let commands: [CommandName]
    /// Whether the ledger records the option with a run, so that later runs and repairs repeat it.
    let isRecorded: Bool
    /// Whether two different values in one command line are an error: the user expects both to count.
    let isUnique: Bool
    /// Whether the value is a secret that is never printed.
    let isSecret: Bool
    /// Where the option may be set.
    let settableFrom: SettableSources
    /// Who else than the user may set the option.
    let others: OtherAuthors
    /// The commands whose short help lists only this option and others like it.
    let essential: [CommandName]
    /// Whether no short help lists the option.
    let isRare: Bool
    /// The default if it is not the text of the property's value.
    private let standard: String?
    /// What the option does: one line without a full stop.
    let help: String
    /// Whole sentences about units and purpose.
    let longHelp: String

    /// Makes an option, whose short and long help are the last arguments.
    init(
        _ long: String, short: Character? = nil, aliases: [String] = [], _ value: FlagValue, implied: String? = nil,
        undo: String? = nil, _ commands: [CommandName], isRecorded: Bool = true, isUnique: Bool = false,
        under category: Category = .general,
        isSecret: Bool = false, settableFrom: SettableSources = .all, others: OtherAuthors = .none,
        essential: [CommandName] = [],
        isRare: Bool = false, default standard: String? = nil, _ help: String, _ longHelp: String
    ) {
        (self.long, self.short, self.aliases, setting, self.undo) = (long, short, aliases, value, undo)
        self.implied = implied
        self.category = category
        (self.commands, self.isSecret, self.settableFrom) = (commands, isSecret, settableFrom)
        (self.others, self.essential, self.isRare, self.standard) = (others, essential, isRare, standard)
        (self.isUnique, self.help, self.longHelp) = (isUnique, help, longHelp)
        // A later run cannot repeat what only a command line may say.
        self.isRecorded = isRecorded && settableFrom != .argumentsOnly
    }

    /// The placeholder for the value; `nil` for an option without a value.
    var value: ValuePlaceholder? { setting.placeholder }
    /// Whether repeating the option adds a value instead of replacing the previous one.
    var isRepeatable: Bool { setting.isRepeatable }
    /// The value without the option, as the command line has it.
    ///
    /// Both helps state it, the long one unless it already says what the default is.
    var `default`: String? { standard ?? setting.defaultText() }

    /// Parses the argument into the options; throws an ``InvalidValue``.
    func apply(_ argument: Argument, to options: inout RawOptions) throws { try setting.apply(&options, argument) }

    /// The sources that may set an option: see ``SettingSource``.
    enum SettableSources: Sendable {
        case all, environmentAndArguments, argumentsOnly
    }

    /// Who may set an option besides the user, who may set every option.
    ///
    /// A mirror or a plan may come from a stranger, so it may only choose photos and describe how they look. Never
    /// permit an option that names a file, an address or a program, sends data, lifts a limit or a check, removes
    /// files, or weakens durability.
    enum OtherAuthors: Sendable {
        case none
        /// A mirror, in its own `sluice.json` and in the command of its ledger, and a plan.
        case anyone
        /// The same, for whole numbers up to this limit.
        case anyoneUpTo(Int)
        /// The command in a ledger or a plan, but no file. The texts introduce the user to the mirror's own hosts.
        case anyCommand
        /// The same, for arguments that satisfy the condition.
        case anyCommandIf(@Sendable (Argument) -> Bool)
    }

    /// The headings of options, in the order of the help.
    enum Category: String, Sendable, CaseIterable {
        case selection = "Photo selection"
        case thumbnails = "Thumbnails"
        case limits = "Limits"
        case transfer = "Transfer"
        case network = "Network"
        case maintenance = "Maintenance"
        case shards = "Many machines"
        case output = "Output"
        case buckets = "Buckets"
        case serving = "Server"
        case bench = "Benchmarks"
        case general = "General"
    }

    /// Every option, in the order of the help; tests add others.
    ///
    /// Joined at once: adding one list after the other would copy the first ones many times, at every start.
    @TaskLocal static var all: [Flag] = Array(
        [
            under(.selection, selection, filtering), under(.thumbnails, thumbnails, rendering, metadata),
            under(.limits, limits, stopConditions), under(.transfer, transfer), under(.network, network),
            under(.maintenance, maintenance), under(.output, export), under(.shards, shards),
            under(.output, output, diagnostics), under(.buckets, buckets), under(.output, gallery),
            under(.serving, serving), under(.bench, bench), configuration, general,
        ].joined())

    /// The options of earlier versions, and why they were removed.
    static let removed = ["--crops": "`duplicates` finds copies of whole photos"]

    private static func under(_ category: Category, _ lists: [Flag]...) -> [Flag] {
        lists.joined().map { flag in
            var flag = flag
            if flag.category == .general { flag.category = category }
            return flag
        }
    }

    /// Returns a time as an option takes it, for example `50ms` or `30s`.
    static func shown(_ time: Duration) -> String {
        time.components.attoseconds == 0 ? "\(time.components.seconds)s" : "\(Int(time / .milliseconds(1)))ms"
    }

    /// Returns a number of bytes as an option takes it, for example `25M`; `none` for no limit.
    static func shown(bytes: Int?) -> String {
        guard let bytes else { return "none" }
        let unit = [(30, "G"), (20, "M"), (10, "k")].first { bytes > 0 && bytes % (1 << $0.0) == 0 }
        return unit.map { "\(bytes >> $0.0)\($0.1)" } ?? "\(bytes)"
    }

    /// The name and the name that reverses it: the names that help, completions and suggestions show.
    var shownNames: [String] { [long] + (undo.map { [$0] } ?? []) }

    var names: [String] { shownNames + aliases }

    /// Every word that sets the option, with its dashes; the one that reverses it is not among them.
    var spellings: [String] { ([long] + aliases).map { "--\($0)" } + (short.map { ["-\($0)"] } ?? []) }

    /// What the option affects in a run of `mirror` or `thumbs`; `nil` if it is no value of such a run.
    var effects: OptionEffects? {
        guard commands.contains(where: Self.thumbnailCommands.contains) else { return nil }
        return MirrorOptions.effects(of: long) ?? ThumbnailRunOptions.effects(of: long)
    }

    /// Whether reports show the recorded option; they may be published with the mirror.
    var isReported: Bool { !(effects?.contains(.confidential) ?? false) }

    /// The options of `command`, or the options of every command.
    static func of(_ command: CommandName?) -> [Flag] {
        guard let command else { return general }
        return all.filter { $0.isOption(of: command) }
    }

    /// Whether a command accepts the option.
    ///
    /// `adopt` and `plan` also accept the recorded options of `mirror`, because they lead to the same mirror, and
    /// `drift` and `recheck` those of their requests. `work`, `merge` and `verify` accept those that the command in a
    /// plan or a ledger may not set.
    func isOption(of command: CommandName) -> Bool {
        guard !commands.contains(command) else { return true }
        if [.work, .merge, .verify].contains(command) { return isGivenAgain }
        guard isRecorded, commands.contains(.mirror) else { return false }
        // Settings from files are not recorded, so `work` would not see them.
        if command == .plan { return category != .general }
        return command == .adopt || [.drift, .recheck].contains(command) && [.network, .transfer].contains(category)
    }
}

/// The placeholder for a value in help, and the completions that a shell offers for it.
struct ValuePlaceholder: Sendable, ExpressibleByStringLiteral {
    /// The completions that a shell offers.
    enum Completion: Sendable, Hashable {
        case nothing, file, folder
        /// A folder that contains a file or folder with this name; any folder if none does.
        case folderWith(String)
        case words([String])
        /// A service with its listings, or a file.
        case source
        /// A service, or a recipe file.
        case recipe

        static let mirror = Completion.folderWith(".sluice")
        static let plan = Completion.folderWith("plan.json")

        /// The services, which sources and recipes may name.
        static var services: [String] { Services.names }
        /// The listings of all services without arguments, for example `unsplash:search/`.
        static var listings: [String] {
            Services.all.flatMap(\.listings).filter { $0.contains(":") }.map { listing in
                let end = listing.firstIndex(of: "/").map { listing.index(after: $0) } ?? listing.endIndex
                return String(listing[..<end])
            }
        }
    }

    /// The name in capitals, or the choices separated by `|`.
    let name: String
    var completion = Completion.nothing

    init(_ name: String, _ completion: Completion = .nothing) {
        self.name = name
        self.completion = completion
    }

    init(stringLiteral name: String) { self.name = name }

    static let file = ValuePlaceholder("FILE", .file)

    /// A placeholder for one of the raw values of `type`.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type, _ name: String? = nil
    ) -> ValuePlaceholder {
        let words = type.allCases.map(\.rawValue)
        return ValuePlaceholder(name ?? words.joined(separator: "|"), .words(words))
    }
}

extension Flag {
    /// Whether `work`, `merge` and `verify --repair` accept the option, because no recorded command may set all of its
    /// values.
    var isGivenAgain: Bool {
        guard isRecorded, commands.contains(.mirror), category != .general else { return false }
        return switch others {
        case .anyone, .anyCommand: false
        case .none, .anyoneUpTo, .anyCommandIf: true
        }
    }

    /// Whether others may set the option up to a limit, which protects services from requests.
    var limitsRequests: Bool { if case .anyoneUpTo = others { true } else { false } }

    /// Whether the author may set the option to this value.
    func accepts(_ argument: Argument, from author: Provenance) -> Bool {
        if author == .user { return true }
        let isCommand = author != .mirrorFile
        return switch others {
        case .none: false
        case .anyone: true
        case .anyoneUpTo(let limit): Int(argument.text).map { $0 <= limit } ?? false
        case .anyCommand: isCommand
        case .anyCommandIf(let condition): isCommand && condition(argument)
        }
    }

    /// Checks a setting from the file inside a mirror's folder.
    func checkInMirrorFile(_ arguments: [Argument], _ source: SettingSource) throws(UsageError) {
        guard !arguments.allSatisfy({ accepts($0, from: source.author) }) else { return }
        let advice = "use an argument, --config or your own sluice.json"
        let limit = if case .anyoneUpTo(let limit) = others { " to more than \(limit)" } else { "" }
        throw UsageError("\(source.errorPrefix)\(long) cannot be set\(limit) in the folder of a mirror; \(advice)")
    }
}

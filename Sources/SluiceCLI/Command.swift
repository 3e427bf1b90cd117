// SPDX-License-Identifier: MIT

/// A command: its help, its arguments and its implementation.
///
/// To add a command, add its name to ``CommandName``, a file with its definition, and an entry to ``all``.
struct Command: Sendable {
    let name: CommandName
    /// The short description: one line without a full stop.
    let summary: String
    /// The long description: one string per paragraph.
    let about: [String]
    /// The arguments that are not options, in order.
    let positionals: [Positional]
    /// Valid command lines with descriptions.
    let examples: [Example]
    /// Runs the command and returns its exit code; the caller prints an error.
    let run: @Sendable (RawOptions, Console) async throws -> ExitCode

    /// Every command, in the order of the help.
    static let all: [Command] = [
        .mirror, .thumbs, .adopt, .plan, .work, .merge, .gallery, .serve, .verify, .explain, .duplicates, .diff,
        .recheck, .export, .lock, .drift,
        .feeds, .bench,
        .doctor, .completions, .manual, .help,
    ]

    /// The usage line, for example `sluice mirror SOURCE [options]`.
    var synopsis: String {
        let arguments = positionals.map { positional in
            (positional.isRequired ? positional.name : "[\(positional.name)]") + (positional.isRepeated ? "..." : "")
        }
        return (["sluice", name.rawValue] + arguments + ["[options]"]).joined(separator: " ")
    }

    var example: String { examples.first?.line ?? synopsis }

    static func named(_ name: String) -> Command? {
        all.first { $0.name.rawValue == name }
    }
}

extension Command {
    /// The headings of commands, in the order of the help.
    enum Group: String, CaseIterable {
        case everyday = "Everyday"
        case upkeep = "Upkeep"
        case datasets = "Datasets"
        case machines = "Many machines"
        case tools = "Tools"
    }

    /// The heading that lists the command in help.
    var group: Group {
        switch name {
        case .mirror, .thumbs, .serve, .explain: .everyday
        case .verify, .gallery, .adopt, .duplicates, .diff, .recheck: .upkeep
        case .export, .lock, .drift: .datasets
        case .plan, .work, .merge: .machines
        case .feeds, .bench, .doctor, .completions, .manual, .help: .tools
        }
    }

    /// The examples of the short overview.
    static let firstExamples = [
        Example(line: "sluice mirror demo", meaning: "try it with built-in photos"),
        Example(line: "sluice mirror urls.txt --out photos", meaning: "download the photos in a list"),
        Example(line: "sluice mirror https://example.com/feed.xml", meaning: "download the photos of a feed"),
        Example(line: "sluice thumbs photos --out small", meaning: "make thumbnails of a folder"),
        Example(line: "sluice serve demo-mirror", meaning: "browse a mirror"),
        Example(line: "sluice explain demo-mirror", meaning: "see what failed, and what helps"),
    ]
}

enum CommandName: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case mirror, thumbs, adopt, plan, work, merge, gallery, serve, verify, explain, duplicates, diff, recheck,
        export, lock, drift, feeds
    case bench, doctor, completions
    case manual, help

    var description: String { rawValue }
}

/// An argument that is not an option.
struct Positional: Sendable {
    let name: String
    /// The help: one line without a full stop.
    let help: String
    var isRequired = true
    /// Whether it accepts all remaining arguments; only possible for the last one.
    var isRepeated = false
    /// The completions that a shell offers.
    var completion = ValuePlaceholder.Completion.nothing
    /// Whether only the words of ``completion`` are valid.
    var isClosed = false
    /// The value of a missing argument.
    var defaultValue: String?
    /// What to do instead of naming several.
    var hintForMore: String?

    static let mirror = Positional(
        name: "DIR", help: "Folder of the mirror (default: the current folder)", isRequired: false, completion: .mirror,
        defaultValue: ".")
}

/// A valid command line with a description.
struct Example: Sendable {
    let line: String
    let meaning: String
}

// SPDX-License-Identifier: MIT

/// One command: what help says of it, what arguments it takes, and what it does.
///
/// To add a command, add its name here, a file with its value, and one line to ``all``.
struct Command: Sendable {
    let name: CommandName
    /// One line, without a full stop.
    let summary: String
    /// Whole sentences, a paragraph each.
    let about: [String]
    /// The arguments that are no options, in their order.
    let positionals: [Positional]
    /// Command lines that work, each with what it does.
    let examples: [Example]
    /// Does it.
    let run: @Sendable (RawOptions, Console) async -> ExitCode

    /// Every command, in the order in which help lists them.
    static let all: [Command] = [
        .mirror, .thumbs, .adopt, .gallery, .serve, .verify, .explain, .duplicates, .diff, .export, .feeds, .bench,
        .doctor,
        .completions,
        .manual, .help,
    ]

    /// `sluice mirror SOURCE [options]`.
    var synopsis: String {
        let arguments = positionals.map { positional in
            (positional.isRequired ? positional.name : "[\(positional.name)]") + (positional.isRepeated ? "..." : "")
        }
        return (["sluice", name.rawValue] + arguments + ["[options]"]).joined(separator: " ")
    }

    /// The first command line that works.
    var example: String { examples.first?.line ?? synopsis }

    /// The command of that name.
    static func named(_ name: String) -> Command? {
        all.first { $0.name.rawValue == name }
    }
}

/// The commands' names.
enum CommandName: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case mirror, thumbs, adopt, gallery, serve, verify, explain, duplicates, diff, export, feeds, bench, doctor,
        completions
    case manual, help

    var description: String { rawValue }
}

/// An argument that is no option.
struct Positional: Sendable {
    /// Its name in capitals.
    let name: String
    /// One line, without a full stop.
    let help: String
    var isRequired = true
    /// Whether it takes all arguments that are left; only the last can.
    var isRepeated = false
    /// What a shell may offer.
    var completion = Placeholder.Completion.nothing
    /// Whether nothing but the words of ``completion`` is taken.
    var isClosed = false
}

/// A command line that works, and what it does.
struct Example: Sendable {
    let line: String
    let meaning: String
}

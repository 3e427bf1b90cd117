// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine

/// Returns the manual page in roff, with the standard man macros.
func manualPage() -> String {
    var page = RoffWriter()
    page.line(".TH SLUICE 1 \"\" \"Sluice \(Version.number)\" \"User Commands\"")
    page.section("NAME")
    page.text("sluice - download photo collections, make thumbnails, and build an offline gallery")
    page.section("SYNOPSIS")
    page.lines(Command.all.map(\.synopsis))
    page.section("DESCRIPTION")
    page.text(
        """
        \(shortDescription). Runs are concurrent, polite to servers and resumable, and they never repeat finished work.
        """)
    for command in Command.all { page.command(command) }
    page.section("EXIT STATUS")
    for (numbers, meaning) in ExitCode.meanings { page.entry(numbers, meaning + ".") }
    page.section("ENVIRONMENT")
    for (name, meaning) in environmentMeanings { page.entry(name, meaning + ".") }
    page.section("FILES")
    for (name, meaning) in mirrorFiles { page.entry(name, meaning + ".") }
    page.section("EXAMPLES")
    for example in Command.all.flatMap(\.examples) { page.entry(example.line, example.meaning + ".") }
    return page.result
}

private let mirrorFiles: [(name: String, meaning: String)] = [
    ("SIZE/", "The thumbnails of `thumbs`, one folder per size"),
    ("index.html, gallery/", "The gallery; works without a server or network"),
    ("originals/", "The photos"),
    ("thumbs/SIZE/", "The thumbnails, one folder per size"),
    ("manifest.jsonl, manifest.csv", "One line per photo, in the order of the feed"),
    ("sluice.json", "Optional settings of the mirror: see --config"),
    (".sluice/ledger.sqlite", "The ledger, from which gallery and manifest can be rebuilt"),
]

/// Builds a page with the man macros of roff.
private struct RoffWriter {
    private(set) var result = ""

    mutating func line(_ text: String) { result += text + "\n" }

    mutating func section(_ title: String) { line(".SH \(title)") }

    mutating func text(_ text: String) {
        line(".PP")
        line(escape(text))
    }

    /// Appends lines without filling them into a paragraph.
    mutating func lines(_ texts: [String]) {
        line(".PP")
        for text in texts {
            line(".B \(escape(text))")
            line(".br")
        }
    }

    /// Appends a term with its meaning below it.
    mutating func entry(_ term: String, _ meaning: String) {
        line(".TP")
        line(".B \(escape(term))")
        line(escape(meaning))
    }

    /// Appends the section of a command: its description, arguments and options.
    mutating func command(_ command: Command) {
        section("\"\(command.name.rawValue.uppercased())\"")
        for paragraph in command.about { text(paragraph) }
        for positional in command.positionals { entry(positional.name, positional.help + ".") }
        // General options appear once, with the last command that accepts them.
        let flags = Flag.of(command.name).filter { $0.category != .general || command.name == $0.commands.last }
        for flag in flags { entry(String(flag.usage.drop { $0 == " " }), flag.fullHelp) }
    }

    /// Escapes characters that are special in roff, and a dot at the start of a line.
    private func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "\"": escaped += "\\(dq"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "~": escaped += "\\(ti"
            default: escaped.append(character)
            }
        }
        return escaped.hasPrefix(".") ? "\\&\(escaped)" : escaped
    }
}

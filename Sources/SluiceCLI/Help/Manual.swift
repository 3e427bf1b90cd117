// SPDX-License-Identifier: MIT

internal import Sluice

/// The manual page, in the macros that every man knows.
func manualPage() -> String {
    var page = Roff()
    page.line(".TH SLUICE 1 \"\" \"Sluice \(Version.number)\" \"User Commands\"")
    page.section("NAME")
    page.text("sluice - mirror pages of photos to disk, with thumbnails and a gallery")
    page.section("SYNOPSIS")
    page.lines(Command.all.map(\.synopsis))
    page.section("DESCRIPTION")
    page.text(
        """
        Sluice mirrors pages of photos to disk, makes their thumbnails, and writes a gallery and a manifest of what it \
        did, at the speed the machine and the remote hosts allow.
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

/// What lies in a mirror's folder.
private let mirrorFiles: [(name: String, meaning: String)] = [
    ("SIZE/", "The thumbnails that `thumbs` made, a folder for each size"),
    ("index.html, gallery/", "The gallery; opens by double-click"),
    ("originals/", "The photos"),
    ("thumbs/SIZE/", "The thumbnails, a folder for each size"),
    ("manifest.jsonl, manifest.csv", "A line for each photo, in the feed's order"),
    ("sluice.json", "The mirror's own options, if you write them: see --config"),
    (".sluice/ledger.sqlite", "The truth, from which gallery and manifest can be written anew"),
]

/// A page in roff's man macros, under construction.
private struct Roff {
    private(set) var result = ""

    mutating func line(_ text: String) { result += text + "\n" }

    mutating func section(_ title: String) { line(".SH \(title)") }

    /// A paragraph.
    mutating func text(_ text: String) {
        line(".PP")
        line(escape(text))
    }

    /// Lines that stand below each other as they are.
    mutating func lines(_ texts: [String]) {
        line(".PP")
        for text in texts {
            line(".B \(escape(text))")
            line(".br")
        }
    }

    /// A term with its meaning below it.
    mutating func entry(_ term: String, _ meaning: String) {
        line(".TP")
        line(".B \(escape(term))")
        line(escape(meaning))
    }

    /// A command's section: what it does, what it takes.
    mutating func command(_ command: Command) {
        section("\"\(command.name.rawValue.uppercased())\"")
        for paragraph in command.about { text(paragraph) }
        for positional in command.positionals { entry(positional.name, positional.help + ".") }
        // What all or most commands take is told once, with the last of them.
        let flags = Flag.of(command.name).filter { $0.category != .general || command.name == $0.commands.last }
        for flag in flags { entry(String(flag.usage.drop { $0 == " " }), flag.wholeHelp) }
    }

    /// Backslashes and dashes as themselves; a line may not begin like a request.
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

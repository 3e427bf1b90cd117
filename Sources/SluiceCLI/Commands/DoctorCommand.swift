// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let doctor = Command(
        name: .doctor,
        summary: "Check what Sluice needs of this machine",
        about: [
            """
            Tries what runs need: files can be written and there is room for them, enough files can be open at once, the \
            clock can be right, there are certificates to know https hosts by, decoders can be kept from everything else. Each finding is one line, with what to do \
            where there is something to do. Exits with 5 if there is a problem.
            """
        ],
        positionals: [],
        examples: [Example(line: "sluice doctor", meaning: "check this machine")],
        run: { _, console in
            let findings = Doctor.examine(isolation: .ownWorkers)
            for finding in findings {
                for line in report(finding, style: console.outStyle) { console.print(line) }
            }
            for library in Version.libraries { console.print("         \(library.name) \(library.version)") }
            let hasProblem = findings.contains { $0.verdict == .problem }
            return hasProblem ? .local : .done
        })
}

/// `ok       open files: at most 1024 at once`, and what to do behind an arrow.
func report(_ finding: Finding, style: Style) -> [String] {
    let color: Style.Color =
        switch finding.verdict {
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        }
    let word = finding.verdict.rawValue
    let verdict = style.paint(word, color) + String(repeating: " ", count: 9 - word.utf8.count)
    let advice = finding.advice.map { "\(style.isUnicode ? "→" : "->") \($0)" }
    return ["\(verdict)\(finding.name): \(escaped(finding.detail))\(advice.map { " \($0)" } ?? "")"]
}

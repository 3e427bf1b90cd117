// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let doctor = Command(
        name: .doctor,
        summary: "Check the requirements of Sluice on this machine",
        about: [
            """
            Checks the requirements of runs on this machine: write access and free space, the limit of open files, a \
            plausible clock, certificates for HTTPS hosts, and the sandbox for decoders. Prints one line per check, \
            with advice if there is a problem. Exits with 5 if there is a problem.
            """
        ],
        positionals: [],
        examples: [Example(line: "sluice doctor", meaning: "check this machine")],
        run: { _, console in
            let results = Doctor.examine(isolation: .ownWorkers)
            for result in results {
                console.print(statusLine(of: result, style: console.outStyle))
            }
            for library in Version.libraries { console.print("         \(library.name) \(library.version)") }
            let hasProblem = results.contains { $0.verdict == .problem }
            return hasProblem ? .local : .done
        })
}

/// Returns the line for a check, for example `ok       open files: at most 1024`, with advice after an arrow.
func statusLine(of result: HealthCheckResult, style: Style) -> String {
    let color: Style.Color =
        switch result.verdict {
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        }
    let verdict = style.paint(padded(result.verdict.rawValue, to: 9), color)
    let advice = result.advice.map { "\(style.isUnicode ? "→" : "->") \($0)" }
    return "\(verdict)\(result.name): \(escaped(result.detail))\(advice.map { " \($0)" } ?? "")"
}

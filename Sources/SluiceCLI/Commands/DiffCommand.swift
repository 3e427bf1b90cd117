// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let diff = Command(
        name: .diff,
        summary: "Tell what changed in a mirror from run to run",
        about: [
            """
            Prints a line for each photo of the mirror in DIR that is new, changed (has other bytes) or gone (its feed lists \
            it no more) since run RUN1 ended, up to RUN2, or up to the last run. Without RUN1 it lists the runs with their \
            numbers. What is gone shows only in runs that walk the feed to its end.
            """
        ],
        positionals: [
            Positional(name: "DIR", help: "The mirror's folder", completion: .folder),
            Positional(name: "RUN1", help: "The run to start from; 0 is before the first", isRequired: false),
            Positional(name: "RUN2", help: "The run to end with (default: the last)", isRequired: false),
        ],
        examples: [
            Example(line: "sluice diff demo-mirror", meaning: "the runs and their numbers"),
            Example(line: "sluice diff demo-mirror 1 2", meaning: "what the second run changed"),
        ],
        run: { options, console in
            do {
                let words = options.positionals
                let runs = try Mirror.runs(in: words[0])
                guard words.count > 1 else {
                    for run in runs { console.print(listed(run)) }
                    return .done
                }
                let first = try number(words[1], among: runs)
                let last = words.count > 2 ? try number(words[2], among: runs) : runs.last?.id ?? 0
                let changes = try Mirror.changes(in: words[0], after: first, upTo: last)
                for change in changes {
                    if options.isJSON { console.out.write(json(of: change)) } else { console.print(line(of: change)) }
                }
                if !options.isJSON { console.tell(summary(of: changes)) }
                return .done
            } catch {
                return console.fail(error)
            }
        })

    private static func number(_ text: String, among runs: [PastRun]) throws(UsageError) -> Int {
        let last = runs.last?.id ?? 0
        guard let number = Int(text), (0...last).contains(number) else {
            throw UsageError("diff \(escaped(text)): takes the number of a run, from 0 to \(last)")
        }
        return number
    }

    /// `12  demo  sluice mirror demo --pages=3`.
    private static func listed(_ run: PastRun) -> String {
        let command = run.words.isEmpty ? "" : "  " + (["sluice"] + run.words).map(shellQuoted).joined(separator: " ")
        return "\(run.id)  \(escaped(run.source))\(run.ended == nil ? "  (it did not end)" : "")\(command)"
    }

    private static func line(of change: Change) -> String {
        let word = change.kind.rawValue
        return "\(word)\(String(repeating: " ", count: 9 - word.utf8.count))\(escaped(change.name, columns: 1000))"
    }

    private static func json(of change: Change) -> [UInt8] {
        JSONLines.line("change") { object in
            object.member("kind", change.kind.rawValue)
            object.member("item", change.item)
            object.member("file", change.name)
        }
    }

    private static func summary(of changes: [Change]) -> String {
        let counts = Change.Kind.allCases.map { kind in "\(changes.count { $0.kind == kind }) \(kind.rawValue)" }
        return counts.joined(separator: ", ")
    }
}

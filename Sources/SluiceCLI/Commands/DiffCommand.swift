// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let diff = Command(
        name: .diff,
        summary: "Show changes between the runs of a mirror",
        about: [
            """
            Prints one line for each photo of the mirror in DIR that is new, changed (different bytes) or gone (no \
            longer in the feed) since the end of run RUN1, up to RUN2 or the last run. Without RUN1, lists the runs \
            with their numbers. Only runs that read the feed to its end can report photos as gone.
            """
        ],
        positionals: [
            .mirror,
            Positional(name: "RUN1", help: "Run to start from; 0 is before the first run", isRequired: false),
            Positional(name: "RUN2", help: "Run to end with (default: the last run)", isRequired: false),
        ],
        examples: [
            Example(line: "sluice diff demo-mirror", meaning: "list the runs with their numbers"),
            Example(line: "sluice diff demo-mirror 1 2", meaning: "print the changes of the second run"),
        ],
        run: { options, console in
            let words = options.positionals
            let buckets = options.mirror.buckets
            let runs = try PhotoMirror.runs(in: words[0], buckets: buckets)
            guard words.count > 1 else {
                if options.output.isJSON {
                    for run in runs { console.out.write(json(of: run)) }
                } else {
                    console.print(table(of: runs))
                }
                return .done
            }
            let first = try runNumber(words[1], among: runs)
            let last = words.count > 2 ? try runNumber(words[2], among: runs) : runs.last?.id ?? 0
            let changes = try PhotoMirror.changes(
                in: words[0], after: first, upTo: last, buckets: buckets)
            for change in changes {
                if options.output.isJSON {
                    console.out.write(json(of: change))
                } else {
                    console.print(line(of: change))
                }
            }
            if !options.output.isJSON { console.printMessage(summary(of: changes)) }
            return .done
        })

    private static func runNumber(_ text: String, among runs: [PastRun]) throws(UsageError) -> Int {
        let last = runs.last?.id ?? 0
        guard let number = Int(text), (0...last).contains(number) else {
            throw UsageError("invalid run '\(escaped(text))' for diff: expected a number from 0 to \(last)")
        }
        return number
    }

    private static func table(of runs: [PastRun]) -> TextTable {
        var table = TextTable(head: ["RUN", "SOURCE", "STATE", "COMMAND"], rightColumns: [0])
        for run in runs {
            let command = run.words.isEmpty ? "" : (["sluice"] + run.words).map(shellQuoted).joined(separator: " ")
            let state = run.ended == nil ? "incomplete" : "complete"
            table.rows.append(["\(run.id)", escaped(run.shownSource), state, command])
        }
        return table
    }

    private static func json(of run: PastRun) -> [UInt8] {
        JSONEventWriter.line("run") { object in
            object.member("run", run.id)
            object.member("source", run.shownSource)
            object.member("feed", run.feed)
            object.member("started", run.started)
            object.member("ended", run.ended)
            object.array("words") { for word in run.words { $0.value(word) } }
        }
    }

    private static func line(of change: ItemChange) -> String {
        padded(change.kind.rawValue, to: 9) + escaped(change.name, columns: 1000)
    }

    private static func json(of change: ItemChange) -> [UInt8] {
        JSONEventWriter.line("change") { object in
            object.member("kind", change.kind.rawValue)
            object.member("item", change.item)
            object.member("file", change.name)
        }
    }

    private static func summary(of changes: [ItemChange]) -> String {
        let counts = ItemChange.Kind.allCases.map { kind in "\(changes.count { $0.kind == kind }) \(kind.rawValue)" }
        return counts.joined(separator: ", ")
    }
}

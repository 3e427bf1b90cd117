// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let feeds = Command(
        name: .feeds,
        summary: "List the services, show one, or check a recipe",
        about: [
            """
            Lists the services that `sluice mirror` knows by name. `show NAME` tells all of one: its listings, its \
            variants, the key that it wants and its rules; with --json it prints the recipe itself, to copy and change. \
            `check FILE` reads a recipe of your own (`-` for standard input) and tells each thing that is wrong with it by \
            its line and column.
            """
        ],
        positionals: [
            Positional(
                name: "list|show|check", help: "What to do (default list)", isRequired: false,
                completion: .words(["list", "show", "check"]), isClosed: true),
            Positional(
                name: "NAME|FILE", help: "The service to show, or the recipe", isRequired: false, completion: .file),
        ],
        examples: [
            Example(line: "sluice feeds", meaning: "the services and what they are"),
            Example(line: "sluice feeds show unsplash", meaning: "its listings, its key and its rules"),
            Example(line: "sluice feeds show unsplash --json", meaning: "a recipe to begin with"),
            Example(line: "sluice feeds check mine.json", meaning: "what is wrong with it, line by line"),
        ],
        run: { options, console in
            do {
                return try feeds(options, console)
            } catch {
                return console.fail(error)
            }
        })

    private static func feeds(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        let action = options.positionals.first ?? "list"
        guard action != "list" else {
            guard options.positionals.count < 2 else { throw UsageError("feeds list takes nothing behind it") }
            for service in Services.all { console.print(listed(service)) }
            return .done
        }
        guard options.positionals.count == 2 else {
            throw UsageError(
                "feeds \(action) needs a \(action == "show" ? "NAME" : "FILE"), as in: sluice feeds show unsplash")
        }
        let name = options.positionals[1]
        if action == "show" {
            let service = try Services.named(name)
            let lines = options.isJSON ? text(service.recipe) : described(service)
            for line in lines { console.print(line) }
            return .done
        }
        let problems = try Services.problems(inRecipeAt: name)
        for problem in problems {
            let member = problem.member.isEmpty ? "" : "\(problem.member): "
            console.print(escaped("\(name):\(problem.line):\(problem.column): \(member)\(problem.problem)"))
        }
        if problems.isEmpty { console.tell("\(escaped(name)) is a recipe") }
        return problems.isEmpty ? .done : .usage
    }

    private static func text(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// `unsplash   Unsplash: photos of photographers all over the world (key in UNSPLASH_ACCESS_KEY)`.
    private static func listed(_ service: Service) -> String {
        let gap = String(repeating: " ", count: max(1, 12 - service.name.utf8.count))
        let key = service.needsKey ? service.keyVariable.map { " (key in \($0))" } ?? "" : ""
        return "\(service.name)\(gap)\(service.about)\(key)"
    }

    private static func described(_ service: Service) -> [String] {
        let variants = service.variants.joined(separator: ", ")
        let chosen = service.defaultVariant.split(separator: "|").joined(separator: ", else ")
        var facts = [
            ("listings", service.listings.joined(separator: "\n            ")),
            ("variants", "\(variants) (default \(chosen))"),
        ]
        if let variable = service.keyVariable {
            let need = service.needsKey ? "needed" : "not needed"
            facts.append(("key", "\(need): in \(variable) or \(variable)_FILE; from \(service.keyAddress ?? "")"))
        }
        if let cap = service.cap { facts.append(("limit", "\(cap) photos a run; --i-have-permission lifts that")) }
        if let rules = service.rules { facts.append(("rules", rules)) }
        if let terms = service.terms { facts.append(("terms", terms)) }
        return ["\(service.name): \(service.about)"]
            + facts.map { "  \($0.0)\(String(repeating: " ", count: 10 - $0.0.utf8.count))\($0.1)" }.flatMap {
                $0.split(separator: "\n").map { escaped(String($0)) }
            }
    }
}

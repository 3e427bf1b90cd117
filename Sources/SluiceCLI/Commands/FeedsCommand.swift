// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

extension Command {
    static let feeds = Command(
        name: .feeds,
        summary: "List services, show one, or check a recipe",
        about: [
            """
            Lists the services that `sluice mirror` supports by name. `show NAME` describes one: its listings, its \
            variants, its API key and its rules; with --json it prints the recipe itself as a starting point for a \
            new one. `check FILE` validates a recipe (`-` for standard input) and prints each problem with its line \
            and column.
            """,
            """
            `check RECIPE --reply FILE` shows what a recipe makes of a saved reply, without a request to the service: \
            photos, facts, facts that stayed empty, and the next page.
            """,
        ],
        positionals: [
            Positional(
                name: "list|show|check", help: "Action (default list)", isRequired: false,
                completion: .words(["list", "show", "check"]), isClosed: true),
            Positional(
                name: "NAME|FILE", help: "Service to show, or recipe to check", isRequired: false,
                completion: .recipe),
        ],
        examples: [
            Example(line: "sluice feeds", meaning: "list the services"),
            Example(line: "sluice feeds show unsplash", meaning: "print its listings, key and rules"),
            Example(line: "sluice feeds show unsplash --json", meaning: "print its recipe"),
            Example(line: "sluice feeds check mine.json", meaning: "list the problems of a recipe"),
            Example(
                line: "sluice feeds check mine.json --reply reply.json",
                meaning: "show what a recipe makes of a saved reply"),
        ],
        run: { options, console in try feeds(options, console) })

    private static func feeds(_ options: RawOptions, _ console: Console) throws -> ExitCode {
        let action = options.positionals.first ?? "list"
        guard options[FeedsArguments.self].reply == nil || action == "check" else {
            throw UsageError("--reply needs a recipe to check, for example: sluice feeds check mine.json --reply FILE")
        }
        guard action != "list" else {
            guard options.positionals.count < 2 else { throw UsageError("feeds list takes no further arguments") }
            if options.output.isJSON {
                for service in Services.all { console.out.write(json(of: service)) }
            } else {
                console.print(table(of: Services.all))
            }
            return .done
        }
        guard options.positionals.count == 2 else {
            let (argument, example) = action == "show" ? ("NAME", "unsplash") : ("FILE", "mine.json")
            throw UsageError("feeds \(action) needs a \(argument), for example: sluice feeds \(action) \(example)")
        }
        let name = options.positionals[1]
        if action == "show" {
            let service = try Services.named(name)
            let lines = options.output.isJSON ? lines(of: service.recipe) : details(of: service)
            for line in lines { console.print(line) }
            return .done
        }
        if let reply = options[FeedsArguments.self].reply {
            return try check(name, withReplyAt: reply, options, console)
        }
        let problems = try Services.problems(inRecipeAt: name)
        for problem in problems {
            let member = problem.member.isEmpty ? "" : "\(problem.member): "
            console.print(escaped("\(name):\(problem.line):\(problem.column): \(member)\(problem.problem)"))
        }
        if problems.isEmpty { console.printMessage("\(escaped(name)) is a valid recipe") }
        return problems.isEmpty ? .done : .usage
    }

    private static func lines(of bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func table(of services: [ServiceInfo]) -> TextTable {
        var table = TextTable(head: ["SERVICE", "PHOTOS"])
        for service in services {
            let key = service.needsKey ? service.keyVariable.map { " (key in \($0))" } ?? "" : ""
            table.rows.append([service.name, service.about + key])
        }
        return table
    }

    private static func json(of service: ServiceInfo) -> [UInt8] {
        JSONEventWriter.line("service") { object in
            object.member("name", service.name)
            object.member("about", service.about)
            object.member("listings", array: { for listing in service.listings { $0.value(listing) } })
            object.member("key", service.needsKey ? service.keyVariable : nil)
        }
    }

    private static func details(of service: ServiceInfo) -> [String] {
        let variants = service.variants.joined(separator: ", ")
        let defaultVariant = service.defaultVariant.split(separator: "|").joined(separator: ", otherwise ")
        var facts = [
            ("listings", service.listings.joined(separator: "\n            ")),
            ("variants", "\(variants) (default \(defaultVariant))"),
        ]
        if let variable = service.keyVariable {
            let need = service.needsKey ? "required" : "optional"
            facts.append(("key", "\(need): in \(variable) or \(variable)_FILE; from \(service.keyAddress ?? "")"))
        }
        if let cap = service.cap { facts.append(("limit", "\(cap) photos per run; --i-have-permission removes it")) }
        if let rules = service.rules { facts.append(("rules", rules)) }
        if let terms = service.terms { facts.append(("terms", terms)) }
        return ["\(service.name): \(service.about)"]
            + facts.map { "  \(padded($0.0, to: 10))\($0.1)" }.flatMap {
                $0.split(separator: "\n").map { escaped(String($0)) }
            }
    }
}

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceFeeds
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
        guard options.savedReply == nil || action == "check" else {
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
        if let reply = options.savedReply {
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
            object.array("listings") { for listing in service.listings { $0.value(listing) } }
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

extension Command {
    /// The number of photos that the preview of a reply prints.
    private static let shownPhotos = 5

    /// Prints what a recipe makes of a saved reply; the result is partial if a photo is invalid.
    static func check(
        _ recipe: String, withReplyAt path: String, _ options: RawOptions, _ console: Console
    ) throws -> ExitCode {
        let preview = try Services.preview(ofReplyAt: path, with: recipe)
        let invalid = preview.photos.count { $0.invalidReason != nil }
        if options.output.isJSON {
            console.out.write(json(of: preview, invalid: invalid))
        } else {
            for line in lines(of: preview, invalid: invalid) { console.print(escaped(line)) }
        }
        return invalid == 0 ? .done : .itemsFailed
    }

    private static func lines(of preview: ReplyPreview, invalid: Int) -> [String] {
        let list = { (facts: [(name: String, count: Int)]) in
            facts.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        }
        let filled = preview.facts.filter { $0.count > 0 }
        let empty = preview.facts.filter { $0.count == 0 }.map(\.name)
        var rows = [
            ("listing", preview.listing), ("records", "\(preview.records)"),
            ("photos", "\(preview.photos.count - invalid)" + (invalid > 0 ? ", and \(invalid) without a picture" : "")),
            ("total", preview.total.map { "\($0)" } ?? "not stated"), ("next", preview.next ?? "none"),
            ("facts", list(filled)), ("empty", empty.joined(separator: ", ")), ("variants", list(preview.variants)),
        ]
        rows += preview.notes.map { ("note", $0) }
        for photo in preview.photos.prefix(shownPhotos) {
            let text =
                photo.invalidReason?.detail ?? [photo.caption, photo.author].compactMap(\.self).joined(separator: ", ")
            rows.append(("photo", "\(photo.id): \(text)"))
            if let variant = photo.variants.first { rows.append(("", "\(variant.name) \(variant.url)")) }
        }
        return rows.map { name, text in padded(name, to: 10) + text }
    }

    private static func json(of preview: ReplyPreview, invalid: Int) -> [UInt8] {
        JSONEventWriter.line("reply") { object in
            object.member("listing", preview.listing)
            object.member("records", preview.records)
            object.member("photos", preview.photos.count - invalid)
            object.member("invalid", invalid)
            object.member("total", preview.total)
            object.member("next", preview.next)
            object.object("facts") { for fact in preview.facts { $0.member(fact.name, fact.count) } }
            object.object("variants") { for fact in preview.variants { $0.member(fact.name, fact.count) } }
            object.array("notes") { for note in preview.notes { $0.value(note) } }
            object.array("ids") { for photo in preview.photos { $0.value(photo.id) } }
            object.array("urls") { for photo in preview.photos { $0.value(photo.variants.first?.url ?? "") } }
        }
    }
}

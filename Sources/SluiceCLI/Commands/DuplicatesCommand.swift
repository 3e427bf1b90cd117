// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let duplicates = Command(
        name: .duplicates,
        summary: "Find copies of photos, and keep the best of each",
        about: [
            """
            Finds photos of the mirror in DIR that are copies of each other: files with identical bytes, other sizes, \
            formats and qualities, turned and mirrored copies. Perceptual hashes find candidates, and the pixels of \
            thumbnails decide. Every photo of a group is a copy of its first one.
            """,
            """
            Nothing is changed unless --move or --merge is given. --keep best says which photo of each group stays: \
            the one with the most detail, which is not scaled up, blurred, sharpened, marked or recompressed. --move \
            moves the others to a folder, and later runs do not download them again.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice duplicates demo-mirror", meaning: "list the copies"),
            Example(line: "sluice duplicates demo-mirror --keep best --json", meaning: "decide, for a script"),
            Example(
                line: "sluice duplicates demo-mirror --keep best --move copies --dry-run",
                meaning: "print the photos that would be moved"),
            Example(
                line: "sluice duplicates demo-mirror --choose copies.html",
                meaning: "write a page on which you choose"),
            Example(line: "sluice duplicates demo-mirror --merge", meaning: "store identical files only once"),
        ],
        run: { options, console in try DuplicatesRun(options: options, console: console).run() })
}

/// One run of the command `duplicates`.
private struct DuplicatesRun {
    let options: RawOptions
    let console: Console

    private var arguments: DuplicatesArguments { options.duplicates }
    private var folder: String { options.positionals[0] }

    func run() throws -> ExitCode {
        if arguments.target != nil, !arguments.decides {
            throw UsageError("--move needs --keep best, --reference or --drop")
        }
        if arguments.dropped != nil, arguments.keepsBest {
            throw UsageError("--drop cannot be combined with --keep: it names the photos to drop")
        }
        var wanted = DuplicateOptions()
        wanted.distance = arguments.distance
        wanted.reference = arguments.reference
        if let path = arguments.ignored { wanted.ignored = try PhotoMirror.ignoredPairs(in: path) }
        wanted.isolation = options.decoding.isolation(isDefault: true)
        let search = DuplicateSearch(in: folder, options: wanted, buckets: options.mirror.buckets)
        let progressLine = ProgressLine(on: console, options.output) { search.stop() }
        defer { progressLine.end() }
        let found = try search.run { progressLine.show("\(counted($0, "picture")) compared") }
        progressLine.clear()
        var groups = found.groups
        if let dropped = arguments.dropped, progressLine.exitCode == nil { groups = try choose(dropped, in: groups) }
        for group in groups {
            if options.output.isJSON { console.out.write(json(of: group)) } else { print(group) }
        }
        if !options.output.isJSON, !options.output.isQuiet { console.printMessage(summary(of: found)) }
        if let code = progressLine.exitCode { return code }
        if let path = arguments.page, !options.isDryRun {
            try PhotoMirror.writePage(
                of: groups, in: folder, reference: arguments.reference,
                command: (pageCommand, "--drop", "--move"), to: path)
            console.printMessage("wrote \(escaped(path))")
        }
        if arguments.merges { try merge() }
        return try move(groups)
    }

    private func merge() throws(MirrorError) {
        let report = try PhotoMirror.deduplicate(
            in: folder, buckets: options.mirror.buckets, isDryRun: options.isDryRun)
        let unmerged = report.left > 0 ? "; \(counted(report.left, "file")) cannot be merged" : ""
        console.printMessage(
            "\(options.dryRunPrefix)merged \(counted(report.merged, "file")), \(byteText(report.bytes)) saved\(unmerged)"
        )
    }

    /// Applies the user's choice to the groups.
    private func choose(_ dropped: Set<Int>, in groups: [DuplicateGroup]) throws(MirrorError) -> [DuplicateGroup] {
        let known = Set(groups.flatMap { $0.members.filter { !$0.isReference }.map(\.item) })
        if let number = dropped.subtracting(known).min() {
            throw MirrorError(.usage, "cannot drop photo \(number): it is in no group; write the page again")
        }
        return try groups.map { (group) throws(MirrorError) in
            if let chosen = group.dropping(dropped) { return chosen }
            let numbers = group.members.map { String($0.item) }.joined(separator: ", ")
            throw MirrorError(.usage, "cannot drop all photos of the group \(numbers): one must stay")
        }
    }

    /// The beginning of the command that the page makes: this command with the options that form the groups.
    private var pageCommand: String {
        var words = ["sluice", "duplicates", absolutePath(folder)]
        if arguments.distance != DuplicatesArguments().distance { words.append("--distance=\(arguments.distance)") }
        if let path = arguments.reference { words.append("--reference=\(absolutePath(path))") }
        if let path = arguments.ignored { words.append("--ignore=\(absolutePath(path))") }
        return words.map(shellQuoted).joined(separator: " ")
    }

    /// The groups with photos to drop.
    ///
    /// With a reference alone, only copies of its photos are dropped.
    private func decided(_ groups: [DuplicateGroup]) -> [DuplicateGroup] {
        arguments.keepsBest || arguments.dropped != nil ? groups : groups.filter { $0.members[0].isReference }
    }

    private func move(_ groups: [DuplicateGroup]) throws(MirrorError) -> ExitCode {
        guard let target = arguments.target else { return .done }
        let report = try PhotoMirror.moveCopies(
            of: decided(groups), in: folder, to: target, reference: arguments.reference, isDryRun: options.isDryRun)
        for refusal in report.refused {
            console.printError("cannot move '\(escaped(refusal.path))': \(escaped(refusal.reason))")
        }
        if !report.moved.isEmpty, !options.isDryRun { _ = try PhotoMirror.rebuild(folder) }
        console.printMessage(
            "\(options.dryRunPrefix)moved \(counted(report.moved.count, "photo")) to '\(escaped(target))', \(byteText(report.bytes))"
        )
        return report.refused.isEmpty ? .done : .itemsFailed
    }

    private func isDropped(_ member: DuplicateGroup.Member, of group: DuplicateGroup) -> Bool {
        guard !decided([group]).isEmpty else { return false }
        return group.droppable.contains(member)
    }

    private func print(_ group: DuplicateGroup) {
        let host = group.placeholderHost.map { ": probably a placeholder of \(escaped($0))" } ?? ""
        console.print(
            "\(group.isIdentical ? "identical" : "similar"): \(counted(group.members.count, "photo"))\(host)")
        var table = TextTable(head: ["PHOTO", "SIZE", "PIXELS", "", "FILE"], rightColumns: [0, 1, 2])
        table.rows = group.members.map { member in
            let size = member.width.flatMap { width in member.height.map { "\(width)x\($0)" } } ?? ""
            let decision = !arguments.decides ? "" : isDropped(member, of: group) ? "drop: " : "keep: "
            let why = [member.relation == .best ? nil : member.relation.rawValue, member.reason].compactMap(\.self)
            let place = member.isReference ? "\(arguments.reference ?? "")/\(member.path)" : member.path
            return [
                "\(member.item)", byteText(member.bytes), size,
                decision + (why.isEmpty ? "best" : why.joined(separator: ", ")), escaped(place, columns: 1000),
            ]
        }
        for line in table.lines(style: console.outStyle, hasHead: false) { console.print("  \(line)") }
    }

    private func json(of group: DuplicateGroup) -> [UInt8] {
        JSONEventWriter.line("duplicates") { object in
            object.member("kind", group.isIdentical ? "same" : "alike")
            object.member("placeholder_of", group.placeholderHost)
            object.array("files") { list in
                for member in group.members { list.object { write(member, of: group, to: &$0) } }
            }
        }
    }

    private func write(_ member: DuplicateGroup.Member, of group: DuplicateGroup, to object: inout JSONWriter) {
        object.member("item", member.item)
        object.member("file", member.path)
        object.member("bytes", member.bytes)
        object.member("sha256", member.sha256)
        if let width = member.width { object.member("width", width) }
        if let height = member.height { object.member("height", height) }
        object.member("format", member.format)
        object.member("relation", member.relation.rawValue)
        object.member("reason", member.reason)
        if arguments.decides { object.member("decision", isDropped(member, of: group) ? "drop" : "keep") }
        if member.isReference { object.member("in_reference", true) }
    }

    private func summary(of found: DuplicateReport) -> String {
        let copies = found.groups.reduce(0) { $0 + $1.members.count - 1 }
        let unread =
            found.unreadable > 0 ? "; \(counted(found.unreadable, "photo")) cannot be read, so only bytes count" : ""
        let stopped = found.isStopped ? "stopped: " : ""
        return
            "\(stopped)\(counted(copies, "copy", plural: "copies")) in \(counted(found.groups.count, "group"))\(unread)"
    }
}

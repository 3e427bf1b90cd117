// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let duplicates = Command(
        name: .duplicates,
        summary: "List identical and similar photos",
        about: [
            """
            Lists the photos of the mirror in DIR with identical bytes, then similar photos, whose 64-bit perceptual \
            hashes differ in at most --distance bits. Five or more photos of one host with identical bytes are \
            probably a placeholder for missing photos. Nothing is changed unless --merge is given, which stores \
            identical files only once.
            """
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice duplicates demo-mirror", meaning: "list identical and similar photos"),
            Example(
                line: "sluice duplicates demo-mirror --distance 0 --json", meaning: "only equal hashes, for a script"),
            Example(line: "sluice duplicates demo-mirror --merge", meaning: "store identical files only once"),
        ],
        run: { options, console in
            do throws(MirrorError) {
                let (folder, buckets) = (options.positionals[0], options.mirror.buckets)
                let found = try PhotoMirror.duplicates(
                    in: folder, distance: options[DuplicatesArguments.self].distance, buckets: buckets)
                for group in found.groups {
                    if options.output.isJSON { console.out.write(json(of: group)) } else { print(group, to: console) }
                }
                if !options.output.isJSON, !options.output.isQuiet { console.printMessage(summary(of: found)) }
                guard options[DuplicatesArguments.self].merges else { return .done }
                let report = try PhotoMirror.deduplicate(in: folder, buckets: buckets)
                let unmerged = report.left > 0 ? "; \(counted(report.left, "file")) cannot be merged" : ""
                console.printMessage(
                    "merged \(counted(report.merged, "file")), \(byteText(report.bytes)) saved\(unmerged)")
                return .done
            } catch {
                return console.fail(error)
            }
        })

    private static func print(_ group: Duplicates.Group, to console: Console) {
        let host = group.placeholderHost.map { ": probably a placeholder of \(escaped($0))" } ?? ""
        console.print("\(group.isIdentical ? "identical" : "similar"): \(counted(group.files.count, "photo"))\(host)")
        var table = TextTable(head: ["PHOTO", "SIZE", "FILE"], rightColumns: [0, 1])
        table.rows = group.files.map { ["\($0.item)", byteText($0.bytes), escaped($0.path, columns: 1000)] }
        for line in table.lines(style: console.outStyle, hasHead: false) { console.print("  \(line)") }
    }

    private static func json(of group: Duplicates.Group) -> [UInt8] {
        JSONEventWriter.line("duplicates") { object in
            object.member("kind", group.isIdentical ? "same" : "alike")
            object.member("placeholder_of", group.placeholderHost)
            object.member(
                "files",
                array: { list in
                    for file in group.files {
                        list.object { object in
                            object.member("item", file.item)
                            object.member("file", file.path)
                            object.member("bytes", file.bytes)
                        }
                    }
                })
        }
    }

    private static func summary(of found: Duplicates) -> String {
        let same = found.groups.filter(\.isIdentical)
        let extra = same.reduce(0) { $0 + $1.files.count - 1 }
        let alike = found.groups.count - same.count
        return "\(counted(extra, "photo")) identical to another photo, \(counted(alike, "group")) of similar photos"
    }
}

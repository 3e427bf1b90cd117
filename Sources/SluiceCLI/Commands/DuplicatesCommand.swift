// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let duplicates = Command(
        name: .duplicates,
        summary: "List the photos that are one picture",
        about: [
            """
            Lists the photos of the mirror in DIR that have the same bytes, then those that look alike: whose perceptual \
            hashes differ in at most --distance of their 64 bits. Where five or more photos of one host have the same \
            bytes, it likely shows a placeholder for photos that it has no more. Nothing is changed, unless --merge lets \
            files with the same bytes share them.
            """
        ],
        positionals: [Positional(name: "DIR", help: "The mirror's folder", completion: .folder)],
        examples: [
            Example(line: "sluice duplicates demo-mirror", meaning: "the same bytes, and what looks alike"),
            Example(
                line: "sluice duplicates demo-mirror --distance 0 --json", meaning: "the same hash only; for a script"),
            Example(line: "sluice duplicates demo-mirror --merge", meaning: "keep the same bytes once"),
        ],
        run: { options, console in
            do throws(MirrorError) {
                let found = try Mirror.duplicates(in: options.positionals[0], distance: options.distance)
                for group in found.groups {
                    if options.isJSON { console.out.write(json(of: group)) } else { print(group, to: console) }
                }
                if !options.isJSON, !options.isQuiet { console.tell(summary(of: found)) }
                guard options.merges else { return .done }
                let report = try Mirror.mergeContents(in: options.positionals[0])
                let left = report.left > 0 ? ", \(counted(report.left, "file")) could not" : ""
                console.tell(
                    "\(counted(report.merged, "file")) share their \(byteText(report.bytes)) with others now\(left)")
                return .done
            } catch {
                return console.fail(error)
            }
        })

    private static func print(_ group: Duplicates.Group, to console: Console) {
        let host = group.placeholderOf.map { ": likely a placeholder of \(escaped($0))" } ?? ""
        console.print("\(group.isSame ? "same" : "alike") \(counted(group.files.count, "photo"))\(host)")
        for file in group.files {
            console.print("  \(escaped(file.path, columns: 1000)) (photo \(file.item), \(byteText(file.bytes)))")
        }
    }

    private static func json(of group: Duplicates.Group) -> [UInt8] {
        JSONLines.line("duplicates") { object in
            object.member("kind", group.isSame ? "same" : "alike")
            object.member("placeholder_of", group.placeholderOf)
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
        let same = found.groups.filter(\.isSame)
        let extra = same.reduce(0) { $0 + $1.files.count - 1 }
        let alike = found.groups.count - same.count
        return "\(counted(extra, "photo")) with bytes that another has, \(counted(alike, "group")) that look alike"
    }
}

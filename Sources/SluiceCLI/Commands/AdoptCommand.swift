// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let adopt = Command(
        name: .adopt,
        summary: "Take up photos that another tool downloaded",
        about: [
            """
            Looks through FOLDER for the files of photos that the mirror in --out has need of, because they failed, are \
            missing, or were never fetched, and takes them up as if they had just been downloaded: checked, named, with \
            thumbnails. The next run of `sluice mirror` then keeps them. No photo's host is asked for anything, and FOLDER is \
            only read: the mirror gets copies, which share their blocks with the files where the disk can do that.
            """,
            """
            With SOURCE its feed is asked what it lists, and the mirror is made if there is none; all options of \
            `mirror` that last are taken. Without it the feed is left alone: photos, SOURCE and options are those that the mirror's \
            ledger knows.
            """,
            """
            A file is known by its hash, where the feed states one or the ledger knows what is missing; else by the photo's \
            address that stands as "url" in a JSON file beside it (a.jpg.json or a.json); else by its name, where that is the \
            end of the address's path, with or without folders and whatever the extension; else by the photo's id, alone \
            or behind a `_`. Where a name could be of several photos, or several files could be one photo's and differ, none is \
            taken. What is taken must be a whole picture, of the hash and the size that the feed states. --dry-run prints what \
            each file is found to be.
            """,
        ],
        positionals: [
            Positional(name: "FOLDER", help: "The folder that another tool filled", completion: .folder),
            Positional(
                name: "SOURCE", help: "What was mirrored, as `mirror` takes it", isRequired: false, completion: .file),
        ],
        examples: [
            Example(line: "sluice adopt downloads demo", meaning: "what is there already of the demo's photos"),
            Example(line: "sluice adopt downloads --out photos", meaning: "of what the mirror in photos lacks"),
            Example(line: "sluice adopt downloads demo --dry-run", meaning: "which file is which photo's?"),
        ],
        run: { options, console in
            do {
                let request = try MirrorRequest(adopting: options)
                let mirror = Mirror(
                    of: request.source, into: request.folder, options: request.options,
                    adopting: options.positionals[0], walkingFeed: !options.goesOn)
                if options.isDryRun {
                    return await DryRun(mirror: mirror, console: console).adopt(isJSON: options.isJSON)
                }
                return await WatchedRun(
                    run: mirror, folder: request.folder, writesGallery: request.options.writesGallery,
                    progress: RunProgress(errand: .adopt), options: options, console: console
                ).watch()
            } catch {
                return console.fail(error)
            }
        })
}

/// `match: a.jpg is photo 12 by its name`.
func line(of file: FoundFile) -> String {
    let path = escaped(file.path, columns: 1000)
    let isOne = file.items.count == 1
    let photos = (isOne ? "photo " : "photos ") + file.items.map(String.init).joined(separator: ", ")
    let basis = file.basis.map { " by its \($0.rawValue)" } ?? ""
    return switch file.verdict {
    case .match: "match: \(path) is \(photos)\(basis)"
    case .needless: "needless: \(path) could be \(photos)\(basis), which \(isOne ? "has its file" : "have their files")"
    case .ambiguous: "ambiguous: \(path)\(isOne ? " and others" : "") could be \(photos)\(basis)"
    case .unknown: "unknown: \(path) is no photo's"
    }
}

// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let adopt = Command(
        name: .adopt,
        summary: "Import photos that another tool downloaded",
        about: [
            """
            Searches FOLDER for the files of photos that the mirror in --out is missing, because they failed, were \
            lost, or were never downloaded. Sluice checks and names each match, makes its thumbnails, and adds it to \
            the mirror as if it had just been downloaded. The next run of `sluice mirror` keeps these photos. No \
            photo host receives a request, and FOLDER is only read: the mirror gets copies, which share disk blocks \
            with the files if the file system supports it.
            """,
            """
            With SOURCE, Sluice reads the feed and creates the mirror if it does not exist; all options of `mirror` \
            that are recorded with a mirror apply. Without SOURCE, the feed is not read: photos, SOURCE and options \
            come from the mirror's ledger.
            """,
            """
            Sluice matches a file by its hash, if the feed states one or the ledger knows the hash of a missing \
            file. Otherwise it uses the photo's URL, if a JSON file next to the photo (a.jpg.json or a.json) \
            contains it as "url". Otherwise it compares the file name with the end of the URL path, with or without \
            folders and with any extension, and finally with the photo's id, alone or after a `_`. Ambiguous matches \
            are skipped: a name that fits several photos, or several different files that fit one photo. A file must \
            be a complete picture with the hash and the size that the feed states. --dry-run prints the match for \
            each file.
            """,
        ],
        positionals: [
            Positional(name: "FOLDER", help: "Folder with the downloads of another tool", completion: .folder),
            Positional(
                name: "SOURCE", help: "Source of the mirror, as for `mirror`", isRequired: false, completion: .source),
        ],
        examples: [
            Example(line: "sluice adopt downloads demo", meaning: "import photos of the demo from downloads"),
            Example(
                line: "sluice adopt downloads --out photos",
                meaning: "import photos that the mirror in photos is missing"),
            Example(line: "sluice adopt downloads demo --dry-run", meaning: "print the match for each file"),
        ],
        run: { options, console in
            let request = try MirrorRequest(adopting: options)
            let (files, walksFeed) = (options.positionals[0], !options.continuesMirror)
            // Without SOURCE, no host is contacted.
            var wanted = request.options
            if walksFeed { wanted.publicNames = try await SourceConfirmation(of: request, options).check(console) }
            let mirror = PhotoMirror(
                of: request.sources, into: request.folder, options: wanted, adopting: files,
                walkingFeed: walksFeed)
            return await MonitoredRun(
                run: mirror, folder: request.folder, writesGallery: request.options.writesGallery,
                progress: RunProgress(purpose: .adopt), memory: wanted.memory, options: options, console: console,
                dryRun: options.isDryRun ? mirror.control : nil
            ).execute()
        })
}

/// Returns the message about a file, for example `match: a.jpg is photo 12 by its name`.
func description(of file: FoundFile) -> String {
    let path = escaped(file.path, columns: 1000)
    let isOne = file.items.count == 1
    let photos = (isOne ? "photo " : "photos ") + file.items.map(String.init).joined(separator: ", ")
    let basis = file.basis.map { " by its \($0.rawValue)" } ?? ""
    return switch file.verdict {
    case .match: "match: \(path) is \(photos)\(basis)"
    case .needless: "needless: \(path) matches \(photos)\(basis), which \(isOne ? "has its file" : "have their files")"
    case .ambiguous: "ambiguous: \(path)\(isOne ? " and other files" : "") could be \(photos)\(basis)"
    case .unknown: "unknown: \(path) matches no photo"
    }
}

// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let thumbs = Command(
        name: .thumbs,
        summary: "Make thumbnails of files and folders",
        about: [
            """
            Makes thumbnails of the photos in files and folders, told by their content and not by their names. Below \
            DIR each size has a folder, and in it each photo its path below the named folder: photos/lakes/dawn.png \
            becomes 256/lakes/dawn.jpg. Where two would have one name, the later gets a short hash behind it.
            """,
            """
            In folders, hidden names, symbolic links and mirrors are passed over, and so is all that is no photo; a \
            named file that is none fails. The same command again makes only what is new or changed, by content and \
            options. DIR is a mirror without originals: it has a gallery and a manifest, too.
            """,
        ],
        positionals: [
            Positional(
                name: "PATH", help: "Files and folders; - reads a list from standard input, one path a line",
                isRepeated: true, completion: .file)
        ],
        examples: [
            Example(line: "sluice thumbs photos --out small", meaning: "256 px thumbnails of all photos in a folder"),
            Example(
                line: "sluice thumbs photos --out web --sizes 320,1280 --format webp", meaning: "two sizes of WebP"),
            Example(line: "sluice thumbs - --out small --json | jq .event", meaning: "of the files that a list names"),
        ],
        run: { options, console in
            do throws(UsageError) {
                let request = try ThumbsRequest(options)
                let paths = try request.allPaths()
                return await WatchedRun(
                    run: ThumbnailRun(of: paths, into: request.folder, options: request.options),
                    folder: request.folder, writesGallery: request.options.writesGallery,
                    progress: RunProgress(errand: .thumbs), options: options, console: console
                ).watch()
            } catch {
                return console.refuse(error)
            }
        })
}

/// What `thumbs` is asked to do, checked as a whole.
struct ThumbsRequest {
    let paths: [String]
    let folder: String
    let options: ThumbnailRunOptions

    init(_ raw: RawOptions) throws(UsageError) {
        guard let out = raw.out else {
            throw UsageError("thumbs needs a folder for the thumbnails, as in: \(Command.thumbs.example)")
        }
        guard !raw.mirror.thumbnails.sizes.isEmpty else {
            throw UsageError("thumbs with --sizes none would make nothing: leave it out")
        }
        paths = raw.positionals
        folder = out
        var options = ThumbnailRunOptions()
        options.thumbnails = raw.mirror.thumbnails
        options.writesGallery = raw.mirror.writesGallery
        options.durability = raw.mirror.durability
        options.mayShareFolder = raw.mirror.mayShareFolder
        options.jobs = raw.jobs
        options.memory = raw.mirror.memory
        options.limits = raw.mirror.limits
        (options.trace, options.metrics) = (raw.mirror.trace, raw.mirror.metrics)
        options.retriesQuarantined = raw.mirror.retriesQuarantined
        options.isolation = raw.isolates == true ? .ownWorkers : .none
        options.maxBytes = raw.maxBytes ?? options.maxBytes
        options.look = try raw.look()
        // Standard input is gone by the next time.
        if !paths.contains("-") { options.words = raw.lastingWords(of: .thumbs, paths) }
        self.options = options
    }

    /// The paths, with what standard input lists in the place of `-`.
    func allPaths() throws(UsageError) -> [String] {
        guard let dash = paths.firstIndex(of: "-") else { return paths }
        guard paths.lastIndex(of: "-") == dash else { throw UsageError("- stands for standard input, once only") }
        var all = paths
        all.replaceSubrange(dash...dash, with: Self.listed())
        return all
    }

    /// Each line as it is: a path may hold anything but a line's end.
    private static func listed() -> [String] {
        var paths: [String] = []
        while let line = readLine() {
            if !line.isEmpty { paths.append(line) }
        }
        return paths
    }
}

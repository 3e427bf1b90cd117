// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

extension Command {
    static let thumbs = Command(
        name: .thumbs,
        summary: "Make thumbnails of files and folders",
        about: [
            """
            Makes thumbnails of the photos in files and folders. Photos are recognised by content, not by name. DIR \
            contains one folder per size, in which each photo has its path relative to the named folder: \
            photos/lakes/dawn.png becomes 256/lakes/dawn.jpg and 640/lakes/dawn.jpg. If two photos would get the \
            same name, the later one gets a short hash.
            """,
            """
            In folders, Sluice skips hidden names, symbolic links, mirrors and files that are not photos; a file \
            argument that is not a photo fails. Pictures of formats that it cannot read, such as PSD and SVG, \
            fail as unsupported. Repeating the command processes only new and changed photos, by \
            content and options. DIR is a mirror without originals, with a gallery and a manifest.
            """,
            """
            If --out is - or a name with the extension of a format that --format accepts, one PATH becomes this file or \
            goes to standard output, without a gallery. The PATH - is then a picture on standard input.
            """,
            """
            PATH may also be a location in a bucket, s3://BUCKET/PREFIX. There, pictures are recognised by the \
            extensions of their keys.
            """,
        ],
        positionals: [
            Positional(
                name: "PATH",
                help: "Files and folders; - reads paths from standard input, separated by newlines or NUL bytes",
                isRepeated: true, completion: .file)
        ],
        examples: [
            Example(
                line: "sluice thumbs photos --out small", meaning: "thumbnails of all photos in a folder, in two sizes"),
            Example(
                line: "sluice thumbs photos --out web --sizes 320,1280 --format webp", meaning: "two sizes of WebP"),
            Example(
                line: "sluice thumbs dawn.jpg --out small.jpg --sizes 800", meaning: "one picture, one file"),
            Example(
                line: "sluice thumbs - --out small --json | jq .event", meaning: "read the paths from standard input"),
        ],
        run: { options, console in
            if let single = try SingleThumbnail(options) { return single.make(on: console) }
            let request = try ThumbsRequest(options)
            let paths = try request.allPaths()
            let run = ThumbnailRun(
                of: paths, into: request.folder, options: request.options(for: paths),
                acceptsMissing: request.readsPaths)
            return await MonitoredRun(
                run: run, folder: request.folder, writesGallery: request.options.writesGallery,
                progress: RunProgress(purpose: .thumbs), memory: run.options.memory, options: options, console: console,
                dryRun: options.isDryRun ? run.control : nil
            ).execute()
        })
}

/// The validated request of a `thumbs` command.
struct ThumbsRequest {
    let paths: [String]
    let folder: String
    let options: ThumbnailRunOptions
    private let choosesIsolation: Bool

    init(_ raw: RawOptions) throws(UsageError) {
        guard let out = raw.output.folder else {
            throw UsageError("thumbs needs --out, for example: \(Command.thumbs.example)")
        }
        guard !raw.mirror.thumbnails.sizes.isEmpty else {
            throw UsageError("thumbs cannot be combined with --sizes none: no thumbnail would be made")
        }
        paths = raw.positionals
        folder = out
        choosesIsolation = raw.decoding.isolates != nil
        var options = ThumbnailRunOptions()
        options.jobs = raw.decoding.jobs
        options.run = try raw.runOptions(of: .thumbs, paths, maxBytes: options.maxBytes)
        options.thumbnails.allowedFormats = ImageFormat.restricted
        if !choosesIsolation {
            options.isolation = .workersForRestrictedFormats(
                executable: Isolation.ownExecutable, acceptsWeakSandbox: raw.decoding.acceptsWeakSandbox)
        }
        // A later run cannot read this standard input again.
        if paths.contains("-") { options.commandLine = [] }
        self.options = options
    }

    /// Returns the options for paths; pictures of buckets are decoded in isolation unless the user chooses otherwise.
    func options(for paths: [String]) -> ThumbnailRunOptions {
        var options = options
        if !choosesIsolation, ThumbnailRun.readsBuckets(paths) { options.isolation = .ownWorkers }
        return options
    }

    /// Whether paths come from standard input: files may disappear after they were listed.
    var readsPaths: Bool { paths.contains("-") }

    /// Returns the paths, with `-` replaced by the paths from standard input.
    func allPaths() throws(UsageError) -> [String] {
        guard let dash = paths.firstIndex(of: "-") else { return paths }
        guard paths.lastIndex(of: "-") == dash else { throw UsageError("- (standard input) can be given only once") }
        var all = paths
        all.replaceSubrange(dash...dash, with: Self.pathsFromStandardInput())
        return all
    }

    /// Returns each line unchanged, or each part before a NUL: a path may contain any other character.
    private static func pathsFromStandardInput() -> [String] {
        var lines: [String] = []
        while let line = readLine(strippingNewline: false) { lines.append(line) }
        let separator: Character = lines.contains { $0.utf8.contains(0) } ? "\0" : "\n"
        return lines.joined().split(separator: separator).map(String.init)
    }
}

/// The thumbnail of one picture as a file or on standard output, without a mirror: `thumbs a.jpg --out a.webp`.
struct SingleThumbnail {
    private let picture: SinglePicture
    private let output: String

    /// Makes the request if the options name a single file as output; `nil` for the usual folder.
    init?(_ raw: RawOptions) throws(UsageError) {
        guard let out = raw.output.folder else { return nil }
        let format = SinglePicture.format(ofFileNamed: out)
        guard out == "-" || format != nil else { return nil }
        let request = try ThumbsRequest(raw)
        var options = request.options(for: request.paths)
        // Without --sizes it has the largest of the usual ones.
        if !raw.settings.contains(where: { $0.flag.long == "sizes" }) {
            options.thumbnails.sizes = Array(options.thumbnails.sizes.suffix(1))
        }
        guard options.thumbnails.sizes.count == 1 else {
            throw UsageError("--out \(escaped(out)) is one file: name one size, or name a folder with --out")
        }
        guard !raw.isDryRun, !raw.output.isJSON else {
            throw UsageError("--\(raw.isDryRun ? "dry-run" : "json") is not possible with one file as --out")
        }
        if let format {
            guard !raw.isArgument("format") || options.thumbnails.format == .fixed(format) else {
                throw UsageError("--format differs from the name of --out \(escaped(out))")
            }
            options.thumbnails.format = .fixed(format)
        }
        picture = SinglePicture(at: request.paths[0], options: options)
        output = out
        guard request.paths.count == 1, picture.exists else {
            throw UsageError(
                "--out \(escaped(out)) is one file: name one picture that exists, or name a folder with --out")
        }
    }

    /// Makes the thumbnail, and writes it when it is whole.
    func make(on console: Console) -> ExitCode {
        do throws(Failure) {
            let bytes = try picture.thumbnail { console.printMessage("note: \($0)") }
            guard output != "-" else {
                console.out.write(bytes)
                return .done
            }
            do throws(MirrorError) { try SinglePicture.write(bytes, to: output) } catch { return console.fail(error) }
            return .done
        } catch {
            console.printError("cannot make a thumbnail of '\(picture.path)': \(error)")
            return error.scope == .run ? .local : .itemsFailed
        }
    }
}

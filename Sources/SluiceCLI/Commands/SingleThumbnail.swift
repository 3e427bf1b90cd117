// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceSystem

/// The thumbnail of one picture as a file or on standard output, without a mirror: `thumbs a.jpg --out a.webp`.
struct SingleThumbnail {
    private let picture: String
    private let output: String
    private let options: ThumbnailRunOptions

    /// Makes the request if the options name a single file as output; `nil` for the usual folder.
    init?(_ raw: RawOptions) throws(UsageError) {
        guard let out = raw.output.folder, out == "-" || Self.format(of: out) != nil else { return nil }
        if out != "-", (try? Folder(out)) != nil { return nil }
        let request = try ThumbsRequest(raw)
        var options = request.options(for: request.paths)
        guard request.paths.count == 1, (try? Folder(request.paths[0])) == nil,
            !ThumbnailRun.readsBuckets(request.paths)
        else { throw UsageError("--out \(escaped(out)) is one file: name one picture, or name a folder with --out") }
        guard request.paths[0] == "-" || InputFile.exists(request.paths[0]) else {
            throw UsageError("cannot make a thumbnail of '\(escaped(request.paths[0]))': no such file")
        }
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
        if let format = Self.format(of: out) {
            let wanted = ThumbnailOptions.Format.fixed(format)
            guard !raw.isArgument("format") || options.thumbnails.format == wanted else {
                throw UsageError("--format differs from the name of --out \(escaped(out))")
            }
            options.thumbnails.format = wanted
        }
        (picture, output, self.options) = (request.paths[0], out, options)
    }

    /// The format of the output's name, if thumbnails can have it.
    private static func format(of name: String) -> ImageFormat? {
        let format = name.contains(".") ? name.split(separator: ".").last.map(String.init) : nil
        return format.flatMap { ImageFormat(fileExtension: $0.lowercased()) }.flatMap {
            [.jpeg, .png, .webp, .avif].contains($0) ? $0 : nil
        }
    }

    /// Makes the thumbnail, and writes it when it is whole.
    func make(on console: Console) -> ExitCode {
        let recoder = PictureRecoder(
            options.thumbnails, isolation: options.isolation, memory: options.memory, upTo: 1,
            token: CancellationToken(), report: { console.printMessage("note: \($0)") })
        do throws(Failure) {
            let made = try recoder.start { [picture, options] () throws(FileError) in
                let limit = options.maxBytes
                let file =
                    picture == "-"
                    ? try Self.standardInput(upTo: limit) : try OpenFile.reading(picture, followsLink: true)
                if try file.size > limit { throw FileError(code: EFBIG, operation: "read", path: picture) }
                return file
            }.picture()
            guard output != "-" else {
                console.out.write(made.bytes)
                return .done
            }
            let place = Folder.place(of: output)
            do throws(FileError) {
                try Folder(place.folder).write(made.bytes, to: place.name, flushed: false)
            } catch {
                console.printError("cannot write '\(escaped(output))': \(error.reason)")
                return .local
            }
            return .done
        } catch {
            console.printError("cannot make a thumbnail of '\(escaped(picture))': \(error)")
            return error.scope == .run ? .local : .itemsFailed
        }
    }

    /// The whole of standard input, as a file in memory.
    private static func standardInput(upTo limit: Int) throws(FileError) -> OpenFile {
        var input = try InputFile("-")
        let file = try PartialFile(inMemory: "picture", in: Folder("."))
        try file.write(try input.readRest(limit: limit))
        return try file.duplicate()
    }
}

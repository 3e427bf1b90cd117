// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

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

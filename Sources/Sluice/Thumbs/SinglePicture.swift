// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
public import SluiceImaging
public import SluiceModel
internal import SluiceSystem

/// One picture whose thumbnail is made without a mirror.
public struct SinglePicture: Sendable {
    /// The path of the picture; `-` is standard input.
    public let path: String
    /// The options, of which the first size is made.
    public let options: ThumbnailRunOptions

    /// Describes a picture; nothing is opened before ``thumbnail(reporting:)``.
    public init(at path: String, options: ThumbnailRunOptions = ThumbnailRunOptions()) {
        (self.path, self.options) = (path, options)
    }

    /// Whether the path is a file, or standard input.
    public var exists: Bool { path == "-" || InputFile.exists(path) }

    /// The format that the name of a file requests for a thumbnail; `nil` for another name, and for a folder.
    public static func format(ofFileNamed path: String) -> ImageFormat? {
        let parts = Folder.place(of: path).name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, (try? Folder(path)) == nil else { return nil }
        return ImageFormat(fileExtension: parts[parts.count - 1].lowercased()).flatMap {
            ImageFormat.encodable.contains($0) ? $0 : nil
        }
    }

    /// Makes the thumbnail, and returns the bytes of its file; blocks until it is made.
    ///
    /// `report` is called if decode workers lack protections.
    public func thumbnail(reporting report: @escaping @Sendable (String) -> Void = { _ in }) throws(Failure) -> [UInt8]
    {
        let recoder = PictureRecoder(
            options.thumbnails, isolation: options.isolation, memory: options.memory, upTo: 1,
            token: CancellationToken(), report: report)
        return try recoder.start { [path, limit = options.maxBytes] () throws(FileError) in
            let file =
                path == "-" ? try Self.standardInput(upTo: limit) : try OpenFile.reading(path, followsLink: true)
            if try file.size > limit { throw FileError(code: EFBIG, operation: "read", path: path) }
            return file
        }.picture().bytes
    }

    /// Writes a thumbnail to a file, which is replaced when the new one is whole.
    public static func write(_ thumbnail: [UInt8], to path: String) throws(MirrorError) {
        let place = Folder.place(of: path)
        do throws(FileError) {
            try Folder(place.folder).write(thumbnail, to: place.name, flushed: false)
        } catch {
            throw MirrorError(.local, "cannot write '\(path)': \(error.reason)")
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

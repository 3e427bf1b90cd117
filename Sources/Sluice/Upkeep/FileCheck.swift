// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// A file that a receipt tells of.
struct ExpectedFile: Sendable {
    let item: Int
    let file: StoredFile
    /// Whether it was whole when it was kept: of what was salvaged, or never could be decoded, nobody expects that.
    let isWhole: Bool

    /// The original and the thumbnails of an entry, as far as it has any.
    static func all(of entry: Entry) -> [ExpectedFile] {
        guard let receipt = entry.receipt else { return [] }
        let isWhole = receipt.state == .done && receipt.failure == nil
        let original = receipt.original.map { ExpectedFile(item: entry.item.seq, file: $0, isWhole: isWhole) }
        let thumbs = receipt.thumbs.map { ExpectedFile(item: entry.item.seq, file: $0.file, isWhole: true) }
        return [original].compactMap(\.self) + thumbs
    }
}

/// Holds one file against its receipt: its size, its SHA-256, and whether it can be decoded if that is asked for.
struct FileCheck: Sendable {
    private let folder: Folder
    private let decoders: Decoders?
    private let token: Token

    /// Makes a check; `decoders` are needed for one that decodes, too.
    init(in folder: Folder, decoders: Decoders? = nil, token: Token) {
        self.folder = folder
        self.decoders = decoders
        self.token = token
    }

    /// Decodes pictures whole, as many at a time as ask for it.
    final class Decoders: Sendable {
        private let thumbnailer = Thumbnailer(FileCheck.thoroughly)
        private let isolation: Isolation
        private let note: @Sendable (String) -> Void
        private let idle = Locked<[any PictureMaking]>([])

        /// Makes none yet; `note` is told if they cannot be isolated as wanted.
        init(_ isolation: Isolation, noting note: @escaping @Sendable (String) -> Void) {
            self.isolation = isolation
            self.note = note
        }

        func decode(_ file: borrowing OpenFile, token: Token) throws(Failure) {
            let maker = idle.withLock { $0.popLast() } ?? make()
            defer { idle.withLock { $0.append(maker) } }
            let picture: OpenPicture
            do throws(ImagingError) {
                picture = try thumbnailer.open(fileAt: file.descriptor)
            } catch {
                throw Failure(error)
            }
            var times = PictureTimes()
            _ = try maker.thumbnails(of: picture, in: file.descriptor, token: token, timing: &times)
        }

        private func make() -> any PictureMaking {
            let own = OwnPictures(thumbnailer: thumbnailer)
            guard case .workers(let executable) = isolation else { return own }
            return WorkerPictures(executable, own, tell: note)
        }
    }

    private static var thoroughly: ThumbnailOptions {
        // Every row and every scan; what limits a run has is its own matter, and these files came through them.
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 64, height: 64)]
        options.qualityMode = .exact
        options.limits.pixels = .max
        options.limits.memory = 2 << 30
        options.limits.seconds = 300
        return options
    }

    /// What is wrong with the file; `nil` if nothing is, or nobody wants to know any more.
    func fault(of expected: ExpectedFile) -> FileFault? {
        guard !token.isCancelled else { return nil }
        let (path, item) = (expected.file.path, expected.item)
        do throws(FileError) {
            let file = try folder.openForReading(path)
            let size = try file.size
            guard size == expected.file.bytes else {
                return FileFault(.changed, path, of: item, "\(size) bytes, not \(expected.file.bytes)")
            }
            guard let hash = SHA256.digest(ofFileAt: file.descriptor) else {
                return FileFault(.unreadable, path, of: item, "it cannot be read to its end")
            }
            guard hash == expected.file.sha256 else {
                return FileFault(.changed, path, of: item, "the size is right, the content is not")
            }
            guard expected.isWhole, let damage = damage(of: file) else { return nil }
            return FileFault(.damaged, path, of: item, damage)
        } catch {
            return FileFault(
                error.isMissing ? .missing : .unreadable, path, of: item, error.isMissing ? "" : error.reason)
        }
    }

    /// Why the picture cannot be decoded; `nil` if it can, or if nobody asked.
    private func damage(of file: borrowing OpenFile) -> String? {
        guard let decoders else { return nil }
        do throws(Failure) {
            try decoders.decode(file, token: token)
            return nil
        } catch {
            return token.isCancelled ? nil : error.description
        }
    }
}

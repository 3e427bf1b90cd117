// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
package import SluiceModel
package import SluiceStore
internal import SluiceTransfer

/// A file that a receipt records.
package struct ExpectedFile: Sendable {
    let item: Int
    package let file: StoredFile
    /// Whether the picture must be decodable.
    ///
    /// False for a sidecar, and for a damaged original that was kept on purpose.
    let isDecodable: Bool
    /// Why the original is incomplete, which its receipt records; `nil` for other files.
    let missingEnd: String?

    /// The files that an entry's receipt records.
    package static func all(of entry: LedgerEntry) -> [ExpectedFile] {
        guard let receipt = entry.receipt else { return [] }
        let isDecodable = receipt.state == .done && receipt.failure == nil
        return receipt.files.map { file in
            let isOriginal = file == receipt.original
            let isCut = isOriginal && receipt.state == .done && receipt.failure?.cause == .truncated
            return ExpectedFile(
                item: entry.item.seq, file: file,
                isDecodable: file != receipt.sidecar && (isDecodable || !isOriginal),
                missingEnd: isCut ? receipt.failure?.description : nil)
        }
    }
}

/// Verifies one file against its receipt: its size, its SHA-256 and, if requested, whether it can be decoded.
package struct FileCheck: Sendable {
    private let store: any Store
    private let decoders: DecoderPool?
    private let token: CancellationToken

    /// Makes a check; with `decoders` it also decodes pictures.
    package init(in store: any Store, decoders: DecoderPool? = nil, token: CancellationToken) {
        (self.store, self.decoders, self.token) = (store, decoders, token)
    }

    /// Decodes complete pictures.
    ///
    /// Each concurrent caller gets a decoder of its own, which is reused afterwards.
    package final class DecoderPool: Sendable {
        private let thumbnailer = Thumbnailer(FileCheck.fullDecoding)
        /// Starts the workers; `nil` to decode in this process.
        private let launcher: WorkerLauncher?
        private let idle = Locked<[any ThumbnailMaking]>([])
        private let refusal = Locked<MirrorError?>(nil)

        /// Creates no decoder yet; `note` is called if decode workers lack protections.
        package init(_ isolation: Isolation, noting note: @escaping @Sendable (String) -> Void) {
            switch isolation {
            case .none, .workersForRestrictedFormats: launcher = nil
            case .workers(let executable, let acceptsWeakSandbox):
                launcher = WorkerLauncher(
                    executable, acceptsWeakSandbox: acceptsWeakSandbox, FileCheck.fullDecoding, report: note)
            }
        }

        /// Why no decode worker can be started; `nil` if that has not happened.
        package var startFailure: MirrorError? { refusal.withLock { $0 } }

        func decode(_ file: borrowing OpenFile, token: CancellationToken) throws(Failure) {
            let maker = idle.withLock { $0.popLast() } ?? make()
            defer { idle.withLock { $0.append(maker) } }
            let picture: OpenedImage
            do throws(ImagingError) {
                picture = try thumbnailer.open(fileAt: file.descriptor)
            } catch {
                throw Failure(error)
            }
            var times = ImagingTimes()
            do throws(DecodingError) {
                _ = try maker.thumbnails(of: picture, in: file.descriptor, token: token, timing: &times)
            } catch {
                switch error {
                case .failed(let failure), .crashed(let failure): throw failure
                case .noWorker(let reason, let hint):
                    refusal.withLock { $0 = MirrorError(.local, reason, hint: hint) }
                }
            }
        }

        private func make() -> any ThumbnailMaking {
            launcher.map { SandboxedDecoder($0) } ?? InProcessDecoder(thumbnailer: thumbnailer)
        }
    }

    private static var fullDecoding: ThumbnailOptions {
        // Decode every row and scan. The run that stored these files has already applied its own limits.
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 64, height: 64)]
        options.qualityMode = .exact
        options.acceptsMissingEnd = true
        options.allowedFormats = ImageFormat.restricted
        options.limits = limits
        return options
    }

    /// The limits of every decode of a verification.
    static var limits: ImageLimits {
        var limits = ImageLimits()
        limits.pixels = .max
        limits.memory = 2 << 30
        limits.seconds = 300
        return limits
    }

    /// Returns the file's fault; `nil` if the file is intact or the check is cancelled.
    package func fault(of expected: ExpectedFile) -> FileFault? {
        guard !token.isCancelled else { return nil }
        let (path, item) = (expected.file.path, expected.item)
        do throws(FileError) {
            // Decoding needs the bytes anyway.
            if decoders == nil, let recorded = try store.recordedContent(of: path) {
                return fault(of: expected, size: recorded.size, sha256: recorded.sha256)
            }
            let file = try store.open(path)
            let size = try file.size
            guard size == expected.file.bytes else { return fault(of: expected, size: size, sha256: "") }
            guard let hash = SHA256.digest(ofFileAt: file.descriptor, token: token) else {
                if token.isCancelled { return nil }
                return FileFault(.unreadable, path, of: item, "cannot read the whole file")
            }
            if let fault = fault(of: expected, size: size, sha256: hash) { return fault }
            if decoders != nil, let missingEnd = expected.missingEnd {
                return FileFault(.incomplete, path, of: item, missingEnd)
            }
            guard expected.isDecodable, let damage = damage(of: file) else { return nil }
            return FileFault(.damaged, path, of: item, damage)
        } catch {
            return FileFault(
                error.isMissing ? .missing : .unreadable, path, of: item, error.isMissing ? "" : error.reason)
        }
    }

    /// The fault of a file with this size and checksum; `nil` if they are the expected ones.
    private func fault(of expected: ExpectedFile, size: Int, sha256: String) -> FileFault? {
        let (file, item) = (expected.file, expected.item)
        guard size == file.bytes else {
            return FileFault(.changed, file.path, of: item, "\(size) bytes, expected \(file.bytes)")
        }
        guard sha256 == file.sha256 else {
            return FileFault(.changed, file.path, of: item, "the size matches, but the checksum does not")
        }
        return nil
    }

    /// Why the picture cannot be decoded; `nil` if it can, if it exceeds the limits, or if decoding was not requested.
    private func damage(of file: borrowing OpenFile) -> String? {
        guard let decoders else { return nil }
        do throws(Failure) {
            try decoders.decode(file, token: token)
            return nil
        } catch {
            let isOverLimit = [.tooManyPixels, .decodeLimit].contains(error.cause)
            return token.isCancelled || isOverLimit ? nil : error.description
        }
    }
}

/// A fault of one file in a mirror.
public struct FileFault: Sendable, Hashable {
    /// The kinds of faults.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The file is recorded in the ledger, but does not exist.
        case missing
        /// The content differs from the receipt.
        case changed
        /// The content matches the receipt, but cannot be decoded.
        case damaged
        /// The thumbnail matches the receipt, but shows something else than its photo.
        case different
        /// The file exists, but cannot be read.
        case unreadable
        /// The content matches the receipt, which records that its end is missing. The mirror is still sound.
        case incomplete
        /// The file exists, but the ledger does not record it. The mirror is still complete.
        case extra
        /// A command was killed before it removed the file, or before it wrote the manifest and the gallery again.
        case unfinished
    }

    /// The kind of fault.
    public var kind: Kind
    /// The file's path, relative to the mirror's folder.
    public var path: String
    /// The sequence number of the item that the file belongs to; `nil` for an extra file.
    public var item: Int?
    /// The details, for example the size found and the size expected.
    public var detail: String

    package init(_ kind: Kind, _ path: String, of item: Int? = nil, _ detail: String = "") {
        (self.kind, self.path, self.item, self.detail) = (kind, path, item, detail)
    }
}

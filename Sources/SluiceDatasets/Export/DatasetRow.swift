// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// A photo of a dataset: its ledger entry and the file to export.
struct DatasetRow {
    /// A picture file of the mirror.
    struct Picture {
        let file: StoredFile
        /// The format's name, if it is known.
        let format: String?
        let width: Int?
        let height: Int?
        /// The content, if it is in memory; `nil` for that of the file.
        var content: [UInt8]?

        /// The extension of the file's name in a dataset.
        var fileExtension: String { format.flatMap(ImageFormat.init(rawValue:))?.fileExtension ?? "bin" }
    }

    /// The name of the photo's members, such as `000000012`; it has no dot, because readers end a key at the first one.
    var key: String
    /// The photo with its receipt.
    let entry: LedgerEntry
    /// The parsed columns of the photo's list.
    private let columns: [JSON.Member]
    /// The picture; `nil` if the photo failed, in layouts that have rows of failed photos.
    var picture: Picture?
    /// Why the photo is left out although the mirror has it.
    var exclusion: Failure?
    /// Why the picture could not be converted.
    var conversionFailure: Failure?
    /// The start of the run that downloaded the file, in seconds since 1970.
    let fetchedAt: Int?
    /// The position of the first photo of its cluster of similar photos; `nil` without a cluster.
    var cluster: Int?
    /// The facts of the original's EXIF data, as JSON.
    var exif: String?
    let position: ExportOrder.Position
    /// Broken files that the export passed since the row before.
    let brokenFiles: [String]
    /// The line of the manifest, after ``addLine()``.
    private(set) var line: [UInt8] = []

    init(
        _ entry: LedgerEntry, _ picture: Picture?, fetchedAt: Int?, at position: ExportOrder.Position,
        brokenFiles: [String]
    ) {
        key = String(entry.item.seq).zeroPadded(to: 9)
        var curated = entry
        curated.item.photo = entry.item.photo.curated
        self.entry = curated
        if let text = entry.item.photo.columns, case .object(let members)? = try? JSON(parsing: Array(text.utf8)) {
            columns = members
        } else {
            columns = []
        }
        (self.picture, self.fetchedAt, self.position, self.brokenFiles) = (picture, fetchedAt, position, brokenFiles)
    }

    /// The name of the picture file; `nil` without a picture.
    var fileName: String? { picture.map { "\(key).\($0.fileExtension)" } }

    /// The value of a column of the photo's list.
    func listed(_ name: String) -> JSON? { columns.first { $0.name === name }?.value }

    mutating func addLine() {
        var lines = ManifestLines()
        lines.add(entry)
        line = lines.bytes
    }
}

extension DatasetRow {
    /// The result of a photo in the words of img2dataset.
    enum Status: String {
        case success
        case failedToDownload = "failed_to_download"
        case failedToResize = "failed_to_resize"
    }

    var status: Status {
        guard picture == nil else { return .success }
        return failure.cause.concernsContent ? .failedToResize : .failedToDownload
    }

    /// Why the photo has no picture.
    var failure: Failure {
        if let reason = exclusion ?? conversionFailure { return reason }
        guard entry.receipt?.state != .done else {
            return Failure(.disk, "the mirror has no such file, or it has another length")
        }
        return entry.receipt?.failure ?? Failure(.deferred, "")
    }
}

extension Cause {
    /// Whether the cause concerns a received file, and not its transfer.
    fileprivate var concernsContent: Bool {
        switch self {
        case .notAnImage, .corrupt, .unsupported, .tooManyPixels, .tooManyScans, .badChunk, .decodeLimit,
            .decoderCrashed, .quarantined:
            true
        default: false
        }
    }
}

extension DatasetRow {
    /// Whether metadata can be written into pictures of this format.
    var takesMetadata: Bool { picture?.format.flatMap(ImageFormat.init(rawValue:))?.embedsMetadata == true }

    /// Replaces the picture by a copy with the facts of the feed; returns false if it stays as it is.
    mutating func embedMetadata(_ options: DatasetOptions, content: [UInt8]) -> Bool {
        guard let picture, let format = picture.format.flatMap(ImageFormat.init(rawValue:)) else { return false }
        var metadata = EmbeddedMetadata()
        if options.embedded.contains(.xmp) {
            let xmp = PhotoXMP(of: entry.item.photo, at: entry.receipt?.url)
            metadata.xmp = { xmp.packet(addedTo: $0) }
        }
        if options.embedded.contains(.iptc) {
            let record = PhotoIPTC(of: entry.item.photo).bytes
            metadata.iptc = record.isEmpty ? nil : record
        }
        guard let copy = format.embedding(metadata, in: content) else { return false }
        self.picture = Picture(
            file: StoredFile(path: picture.file.path, bytes: copy.count, sha256: SHA256.digest(of: copy)),
            format: picture.format, width: picture.width, height: picture.height, content: copy)
        return true
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceParquet

/// Reads the photos of an open list one by one.
protocol ListReader: AnyObject {
    /// Whether each record is a row of the user's list, see ``Page/hasRows``.
    var hasRows: Bool { get }
    /// A note for the user about the records so far.
    var note: String? { get }
    /// The members of the first record, if no record so far has an address; `nil` otherwise.
    var membersWithoutAddress: [String]? { get }
    /// The share of the file that the records so far took, about; `nil` for a pipe.
    var consumedShare: Double? { get }

    /// Returns the next record's photo; `nil` after the last.
    func next() throws(Failure) -> Photo?
    /// Skips the next records, or all if there are fewer.
    func skip(_ count: Int) throws(Failure)
}

/// Opens lists of all formats.
enum ListOpening {
    /// Opens a list, and detects its format; `name` names it in messages.
    static func open(
        _ name: String, _ content: ListContent, options: ListOptions, token: CancellationToken
    ) throws(Failure) -> any ListReader {
        let path: String
        switch content {
        case .text(let opener): return try TextListReader(name, options: options, opener: opener, token: token)
        case .parquet(let opener): return try ParquetListReader(opener, named: name, options: options, token: token)
        case .file(let file): path = file
        }
        if path != "-", let file = try? OpenFile.reading(path, followsLink: true),
            (try? file.read(at: 0, count: ParquetReader.magic.count)) == ParquetReader.magic
        {
            let bytes = LocalParquetFile(file)
            return try ParquetListReader({ bytes }, named: name, options: options, token: token)
        }
        let opener: ListOpener = { () throws(FileError) in FileInput(try InputFile(path)) }
        return try TextListReader(name, options: options, opener: opener, token: token)
    }
}

/// Reads the records of a list of text.
private final class TextListReader: ListReader {
    /// One value, so that a record needs one check of exclusive access.
    private struct Records: ~Copyable {
        var buffer: ListBuffer
        var format: any ListFormat
        /// The other photos of the last record, in reverse.
        var more: [Photo] = []

        mutating func next() throws(Failure) -> Photo? {
            if let photo = more.popLast() { return photo }
            defer { buffer.didFindRecord() }
            return try format.next(from: &buffer, more: &more)
        }
    }

    private var records: Records

    init(
        _ path: String, options: ListOptions, opener: ListOpener, token: CancellationToken
    ) throws(Failure) {
        let input: any ListInput
        do throws(FileError) {
            input = try opener()
        } catch {
            throw Failure(
                .disk, "\(error)", finalURL: path, scope: .run, hint: error.isRefusedKey ? .readAnonymously : nil)
        }
        var buffer = ListBuffer(input, token: token)
        let format = try ListFormatDetector.detect(&buffer, options: options)
        records = Records(buffer: buffer, format: format)
    }

    var hasRows: Bool { records.format.hasRows }
    var note: String? { records.format.note }
    var membersWithoutAddress: [String]? { records.format.membersWithoutAddress }

    var consumedShare: Double? { records.buffer.consumedShare }

    func next() throws(Failure) -> Photo? { try records.next() }

    func skip(_ count: Int) throws(Failure) {
        for _ in 0..<count { guard try next() != nil else { return } }
    }
}

/// Opens the bytes of a Parquet file.
typealias ParquetOpener = @Sendable () throws(FileError) -> any ParquetBytes

/// Where the bytes of a list come from.
enum ListContent: Sendable {
    /// A file or a pipe at a path, or standard input for `-`.
    case file(String)
    /// A text, which may be compressed.
    case text(ListOpener)
    case parquet(ParquetOpener)
}

// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceModel

/// Reads and decompresses a list block by block into a sliding window, so that memory stays bounded.
struct ListBuffer: ~Copyable {
    /// The maximum length of a record in bytes; longer records are skipped without being buffered.
    static let maxRecordLength = 1 << 20
    /// The reason for skipping a record that is too long.
    static let tooLong = "longer than 1 MiB"
    /// The most bytes between two records, for example of blank lines or of one long line.
    static let maxBytesWithoutRecord = 128 << 20
    private static let blockSize = 256 << 10
    /// The number of bytes that may be read again because rows with unclosed quotes are skipped.
    static let maxRescannedBytes = 64 << 20

    /// The decompressed text; the bytes before ``start`` have been consumed.
    private(set) var window: [UInt8] = []
    /// The start of the next record in the window.
    private(set) var start = 0
    /// The line number at ``start``, from 1.
    private(set) var line = 1
    /// The number of bytes that will be read again because rows with unclosed quotes were skipped.
    var rescannedBytes = 0
    /// The number of bytes that were read since the last record.
    private var bytesWithoutRecord = 0
    private let bytesBetweenRecords: Int

    private let input: any ListInput
    private var compressed: ArraySlice<UInt8> = []
    private var compression: ListCompression?
    private var decoder: (any Decompressing)?
    private var encoding = UTF16Text()
    private var isAtEndOfInput = false
    private let token: CancellationToken

    /// Starts before the first byte; cancelling the token also ends a wait for a slow pipe.
    init(
        _ input: any ListInput, bytesBetweenRecords: Int = maxBytesWithoutRecord, token: CancellationToken
    ) {
        self.input = input
        self.bytesBetweenRecords = bytesBetweenRecords
        self.token = token
    }

    /// The share of the input that has been consumed, about: a compressed window counts as consumed; `nil` for a pipe.
    var consumedShare: Double? {
        guard let size = input.size, size > 0 else { return nil }
        let waiting = compressed.count + (decoder == nil ? window.count - start : 0)
        return min(1, Double(input.bytesRead - waiting) / Double(size))
    }

    /// Consumes the window up to `end`, which contains `lines` line ends.
    mutating func advance(to end: Int, lines: Int) {
        start = end
        line += lines
    }

    /// Records that the list goes on: a photo was found.
    mutating func didFindRecord() { bytesWithoutRecord = 0 }

    /// Appends more text to the window and discards the consumed bytes, so that ``start`` is 0; returns false at the
    /// end.
    mutating func fill() throws(Failure) -> Bool {
        window.removeSubrange(..<start)
        start = 0
        while true {
            try token.check()
            let bytes = try nextBlock()
            let isEnd = bytes.isEmpty && isAtEndOfInput && (compressed.isEmpty || decoder == nil)
            let text = encoding.decode(bytes, isLast: isEnd)
            if !text.isEmpty {
                bytesWithoutRecord += text.count
                guard bytesWithoutRecord <= bytesBetweenRecords else {
                    throw Failure(.feedParse, "line \(line): no record in \(bytesBetweenRecords >> 20) MiB")
                }
                window += text
                return true
            }
            if isEnd { return false }
        }
    }

    /// Returns the next decompressed bytes; none if the input is not ready yet or has ended.
    private mutating func nextBlock() throws(Failure) -> [UInt8] {
        if compressed.isEmpty || compression == nil, !isAtEndOfInput {
            // Wait briefly: the writer of a pipe may be slow, and the caller checks for cancellation in between.
            guard input.isReady(within: 50) else { return [] }
            let read = try read()
            compressed += read
            isAtEndOfInput = read.isEmpty
        }
        if compression == nil {
            // Detection needs four bytes, and a pipe may deliver them one by one.
            guard compressed.count >= 4 || isAtEndOfInput else { return [] }
            compression = ListCompression(sniffing: compressed)
            decoder = compression?.makeDecoder()
        }
        guard decoder != nil else {
            defer { compressed = [] }
            return Array(compressed)
        }
        let before = compressed.count
        let text = try decoder?.decompress(&compressed) ?? []
        if text.isEmpty, isAtEndOfInput {
            guard decoder?.isComplete == true else { throw Failure(.feedParse, "the compressed list is truncated") }
            // The decoder makes no progress, so discard the remaining input.
            if compressed.count == before { compressed = [] }
        }
        return text
    }

    private mutating func read() throws(Failure) -> [UInt8] {
        do throws(FileError) { return try input.read(Self.blockSize) } catch {
            throw Failure(.disk, "\(error)", scope: .run)
        }
    }
}

/// A text of a list: UTF-8, or else Windows-1252, which spreadsheets of Western Europe write.
struct ListText {
    let text: String
    /// Whether the text is not UTF-8, so that its encoding is a guess.
    let isGuessed: Bool

    init(_ bytes: ArraySlice<UInt8>) {
        let valid = String(utf8: bytes.span)
        text = valid ?? Windows1252.text(of: bytes)
        isGuessed = valid == nil
    }

    /// The note for the user about a list with such a text in a line.
    static func note(line: Int) -> String { "line \(line) is not UTF-8; such lines are read as Windows-1252" }
}

/// The bytes of a list: a file, a pipe, or an object in a bucket.
///
/// One thread at a time uses it.
package protocol ListInput: AnyObject {
    /// The size in bytes; `nil` for a pipe.
    var size: Int? { get }
    /// The number of bytes read so far.
    var bytesRead: Int { get }

    /// Waits until bytes or the end of the input are available; returns false after the timeout.
    func isReady(within milliseconds: Int32) -> Bool

    /// Reads up to `count` bytes; blocks until some are available, and returns none at the end.
    func read(_ count: Int) throws(FileError) -> [UInt8]
}

/// Opens the bytes of a list.
package typealias ListOpener = @Sendable () throws(FileError) -> any ListInput

/// A file or a pipe as a list.
final class FileInput: ListInput {
    private var file: InputFile

    init(_ file: consuming InputFile) { self.file = file }

    var size: Int? { file.size }
    var bytesRead: Int { file.bytesRead }

    func isReady(within milliseconds: Int32) -> Bool { file.isReady(within: milliseconds) }

    func read(_ count: Int) throws(FileError) -> [UInt8] { try file.read(count) }
}

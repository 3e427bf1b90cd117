// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// The files of a WARC series, which grow record by record.
///
/// One thread at a time uses it. Its database is updated after each exchange, so that a killed process leaves at most
/// one incomplete exchange, which the next run cuts off.
final class ArchiveSeries {
    /// The size in bytes after which a file gets no more records.
    static let fileSize = 1 << 30
    /// The number of bytes of a file that are read at a time.
    private static let chunkSize = 256 << 10
    private static let revisitProfile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

    private let name: ArchiveName
    private let folder: Folder
    private let index: ArchiveIndex
    private let fileSize: Int
    private let software: String
    /// The last file, its number and its length.
    private var current: CurrentFile

    private struct CurrentFile: ~Copyable {
        let file: AppendedFile
        let number: Int
        var length: Int
    }

    /// Continues a series, or creates it; `software` is the program's name and version.
    init(_ name: ArchiveName, software: String, fileSize: Int = fileSize) throws(MirrorError) {
        (self.name, self.software, self.fileSize) = (name, software, fileSize)
        folder = try Self.folder(of: name)
        index = try MirrorError.inLedger(ArchiveIndex(name.state, in: folder))
        current = try Self.open(name, in: folder, index)
        if current.length == 0 { try MirrorError.onArchive(begin()) }
    }

    /// Throws if a series could not be continued or created; changes nothing.
    static func check(_ name: ArchiveName) throws(MirrorError) {
        let folder = try folder(of: name)
        try MirrorError.onArchive(folder.checkWriteAccess())
    }

    private static func folder(of name: ArchiveName) throws(MirrorError) -> Folder {
        do throws(FileError) {
            let folder = try Folder(name.folder)
            let isNew = folder.size(of: name.state) == nil
            if isNew, folder.size(of: name.file(1)) != nil {
                throw FileError(
                    code: 0, operation: "continue", path: folder.fullPath(of: name.file(1)),
                    reason: "its \(name.state) is missing")
            }
            return folder
        } catch {
            throw MirrorError(.local, "cannot write the WARC: \(error)", hint: .chooseArchive)
        }
    }

    /// Opens the last file, and removes an incomplete exchange from its end.
    private static func open(
        _ name: ArchiveName, in folder: Folder, _ index: ArchiveIndex
    ) throws(MirrorError) -> CurrentFile {
        guard let last = try MirrorError.inLedger(index.lastFile()) else {
            let file = try MirrorError.onArchive(AppendedFile(name.file(1), in: folder, creates: true))
            return CurrentFile(file: file, number: 1, length: 0)
        }
        let isMissing = folder.size(of: name.file(last.number)) == nil
        let file = try MirrorError.onArchive(
            AppendedFile(name.file(last.number), in: folder, creates: isMissing && last.length == 0))
        var length = last.length
        let size = try MirrorError.onArchive(file.size)
        // After a power failure the database may know more than the disk has.
        if size < length { length = try MirrorError.inLedger(index.cut(last.number, to: size)) }
        try MirrorError.onArchive(file.truncate(to: length))
        return CurrentFile(file: file, number: last.number, length: length)
    }

    /// Writes an exchange: the response, or a reference to an earlier one with the same payload, and the request.
    func add(_ exchange: RecordedExchange) throws(Failure) {
        do throws(FileError) {
            if current.length >= fileSize { try beginNextFile() }
            let start = current.length
            let date = UTCTime(secondsSince1970: exchange.time).text
            let digest = "sha256:\(exchange.body.sha256)"
            let earlier = exchange.status == 200 && !exchange.isCut ? try known(digest) : nil
            var response = ArchiveRecord(
                earlier == nil ? .response : .revisit, date: date, block: exchange.heads.archivedResponse)
            response.add("WARC-Target-URI", exchange.url)
            response.add("WARC-IP-Address", exchange.server)
            response.add("WARC-Protocol", exchange.heads.isHTTP2 ? "h2" : nil)
            response.add("Content-Type", "application/http;msgtype=response")
            response.add("WARC-Payload-Digest", digest)
            if exchange.isCut { response.add("WARC-Truncated", "length") }
            if let earlier {
                response.add("WARC-Profile", Self.revisitProfile)
                response.add("WARC-Refers-To-Target-URI", earlier.url)
                response.add("WARC-Refers-To-Date", earlier.date)
                response.add("WARC-Block-Digest", "sha256:\(SHA256.digest(of: response.block))")
                try append(response)
            } else {
                try append(response, body: exchange.body)
            }
            // Other indexers do not count the empty lines after an uncompressed record.
            let end = current.length - (name.isCompressed ? 0 : ArchiveRecord.end.count)
            let line = IndexLine(
                url: exchange.url, date: date, mediaType: earlier == nil ? exchange.mediaType : "warc/revisit",
                status: exchange.status, digest: digest, length: end - start, offset: start,
                file: name.file(current.number))
            try append(request(of: exchange, to: response.id, date: date))
            let mayBeReferredTo = earlier == nil && exchange.status == 200 && !exchange.isCut
            try update(
                adding: ArchiveIndex.Record(
                    line: line.text, digest: mayBeReferredTo ? digest : nil, url: exchange.url, date: date))
        } catch {
            throw Failure(.disk, "cannot write the WARC: \(error)", scope: .run, hint: .chooseArchive)
        }
    }

    private func request(of exchange: RecordedExchange, to response: String, date: String) -> ArchiveRecord {
        var request = ArchiveRecord(.request, date: date, block: exchange.heads.archivedRequest)
        request.add("WARC-Target-URI", exchange.url)
        request.add("WARC-Concurrent-To", response)
        request.add("WARC-IP-Address", exchange.server)
        request.add("WARC-Protocol", exchange.heads.isHTTP2 ? "h2" : nil)
        request.add("Content-Type", "application/http;msgtype=request")
        request.add("WARC-Block-Digest", "sha256:\(SHA256.digest(of: request.block))")
        return request
    }

    /// Writes the sorted index for other programs.
    func writeIndex() throws(MirrorError) {
        do throws(FileError) {
            let file = try NewFile(name.index, in: folder)
            var lines: [UInt8] = []
            var failure: FileError?
            try inDatabase { () throws(LedgerError) in
                try index.forEachLine { (line) throws(LedgerError) in
                    lines += line.utf8
                    lines.append(10)
                    guard lines.count >= Self.chunkSize, failure == nil else { return }
                    do throws(FileError) { try file.write(lines) } catch { failure = error }
                    lines = []
                }
            }
            if let failure { throw failure }
            try file.write(lines)
            try file.finish(flushed: false)
        } catch {
            throw MirrorError(.local, "cannot write the index of the WARC: \(error)")
        }
    }

    // MARK: Files

    private func beginNextFile() throws(FileError) {
        let number = current.number + 1
        // If the process ends here, the next run may replace the file.
        let next = name.file(number)
        try inDatabase { () throws(LedgerError) in try index.extend(number, to: 0) }
        current = CurrentFile(
            file: try AppendedFile(next, in: folder, creates: folder.size(of: next) == nil), number: number, length: 0)
        try current.file.truncate(to: 0)
        try begin()
    }

    /// Writes the record that describes the file.
    private func begin() throws(FileError) {
        let lines = [
            "software: \(software)", "format: WARC File Format 1.1",
            "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/", "",
        ]
        let date = UTCTime(secondsSince1970: Machine.secondsSince1970).text
        var record = ArchiveRecord(.warcinfo, date: date, block: Array(lines.joined(separator: "\r\n").utf8))
        record.add("WARC-Filename", name.file(current.number))
        record.add("Content-Type", "application/warc-fields")
        try append(record)
        try update(adding: nil)
    }

    private func update(adding record: ArchiveIndex.Record?) throws(FileError) {
        try inDatabase { () throws(LedgerError) in
            try index.extend(current.number, to: current.length, adding: record)
        }
    }

    private func known(_ digest: String) throws(FileError) -> (url: String, date: String)? {
        try inDatabase { () throws(LedgerError) in try index.response(withPayload: digest) }
    }

    private func inDatabase<Result>(_ body: () throws(LedgerError) -> Result) throws(FileError) -> Result {
        do throws(LedgerError) { return try body() } catch {
            throw FileError(code: 0, operation: "write", path: name.state, reason: error.description)
        }
    }

    // MARK: Records

    /// Appends a record whose block is in memory.
    private func append(_ record: ArchiveRecord) throws(FileError) {
        let bytes = record.header(length: record.block.count) + record.block + ArchiveRecord.end
        guard name.isCompressed else { return try write(bytes) }
        let encoder = GzipEncoder(compressing: true)
        try write(encoder.add(bytes))
        try write(encoder.finish())
    }

    /// Appends a response with its body, which is read twice: for its hash, which comes first, and for the record.
    private func append(_ record: ArchiveRecord, body: RecordedExchange.Body) throws(FileError) {
        let hash = SHA256()
        hash.update(record.block)
        try body.forEachChunk(Self.chunkSize) { (chunk) throws(FileError) in hash.update(chunk) }
        var record = record
        record.add("WARC-Block-Digest", "sha256:\(hash.finish())")
        let start = record.header(length: record.block.count + (try body.count)) + record.block
        // Photos are compressed already.
        let encoder = name.isCompressed ? GzipEncoder(compressing: body.isInMemory) : nil
        try write(encoder?.add(start) ?? start)
        try body.forEachChunk(Self.chunkSize) { (chunk) throws(FileError) in
            try write(encoder?.add(chunk) ?? chunk)
        }
        try write(encoder?.add(ArchiveRecord.end) ?? ArchiveRecord.end)
        if let encoder { try write(encoder.finish()) }
    }

    private func write(_ bytes: [UInt8]) throws(FileError) {
        try current.file.append(bytes)
        current.length += bytes.count
    }
}

extension RecordedExchange.Body {
    /// Whether the bytes are in memory.
    fileprivate var isInMemory: Bool { if case .memory = self { true } else { false } }

    fileprivate var count: Int {
        get throws(FileError) {
            switch self {
            case .memory(let bytes): bytes.count
            case .file(let file, _): try file.length
            }
        }
    }

    /// The SHA-256 of the bytes.
    fileprivate var sha256: String {
        switch self {
        case .memory(let bytes): SHA256.digest(of: bytes)
        case .file(_, let sha256): sha256
        }
    }

    fileprivate func forEachChunk(
        _ size: Int, _ body: ([UInt8]) throws(FileError) -> Void
    ) throws(FileError) {
        switch self {
        case .memory(let bytes): try body(bytes)
        case .file(let file, _):
            var offset = 0
            while true {
                let chunk = try file.read(at: offset, count: size)
                guard !chunk.isEmpty else { return }
                try body(chunk)
                offset += chunk.count
            }
        }
    }
}

extension MirrorError {
    /// Converts an error of a file of an archive.
    fileprivate static func onArchive<Value: ~Copyable>(
        _ body: @autoclosure () throws(FileError) -> Value
    ) throws(MirrorError) -> Value {
        do { return try body() } catch {
            throw MirrorError(
                error.isLocked ? .locked : .local, "cannot write the WARC: \(error)", hint: .chooseArchive)
        }
    }
}

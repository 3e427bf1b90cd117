// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Receives a download's bytes over all its attempts: writes, hashes and checks them, and resumes a partial file.
///
/// It is Sendable because one thread at a time uses it: the caller of the download, and during an exchange the transfer
/// loop's thread.
final class DownloadSink: @unchecked Sendable {
    /// The most bytes that an early check sees.
    private static let maxCheckedBytes = 256 << 10
    /// The most bytes that it sees at first, because most files need no more.
    private static let firstCheckedBytes = 16 << 10
    /// The resume note is rewritten after this time and this many bytes; a killed run loses no more than that.
    private static let noteInterval = Duration.seconds(1)
    private static let noteStep = 32 << 10
    /// At most this many bytes are received although they are not needed, so that the connection can be reused.
    private static let maxDrainedBytes = 16 << 10

    /// Progress is reported at most once per interval; the clock is read once per step.
    private static let progressInterval = Duration.milliseconds(250)
    private static let progressStep = 16 << 10

    private let partial: PartialFile
    private let url: String
    /// Whether the download may consist of several responses.
    private let isResumable: Bool
    /// The address that sent the current response.
    private var sender: WebAddress?
    private let earlyCheck: EarlyCheck?
    /// The reader of a file's first bytes, before it has read any; `nil` if the whole file is needed.
    private var newPrefix: (any PrefixReading)?
    private var prefix: (any PrefixReading)?
    private let reportProgress: @Sendable (_ count: Int, _ total: Int?) -> Void
    private var hash = SHA256()
    /// The first bytes, until the early check has decided.
    private var start: [UInt8] = []
    private var isDecided: Bool
    private var lastNote = ContinuousClock.now
    private var notedCount = 0
    private var lastProgress = ContinuousClock.now
    private var progressCount = 0

    /// The number of bytes received, in this run and before.
    private(set) var count = 0
    /// Where the download can be resumed; `nil` if it cannot.
    private(set) var point: ResumePoint?
    /// The reason why the early check rejected the download, if it did.
    private(set) var rejection: RejectedDownload?
    /// The part that suffices, once it has arrived, and the size of the whole file.
    private var sufficient: (part: SufficientPart, announced: Int?)?

    /// Resumes the partial file of an earlier run if its note is valid; otherwise empties the file.
    init(
        _ partial: PartialFile, for url: String, earlyCheck: EarlyCheck?, prefix: (any PrefixReading)? = nil,
        isResumable: Bool = true,
        reportProgress: @escaping @Sendable (_ count: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws(Failure) {
        (self.partial, self.isResumable, self.reportProgress) = (partial, isResumable, reportProgress)
        // The note must not contain credentials.
        self.url = WebAddress(url)?.text ?? Userinfo.split(url).url
        self.earlyCheck = earlyCheck
        isDecided = earlyCheck == nil
        (newPrefix, self.prefix) = (prefix, prefix)
        // Without bytes a note is useless.
        let hasBytes = try Failure.onDisk(partial.length) > 0
        let note = hasBytes && isResumable ? partial.note.flatMap { ResumeNote($0) } : nil
        if let note, note.url === self.url, try resume(note) {
            point = note.point
        } else {
            try restart()
        }
    }

    /// The additional request headers for `address`: a range, if the download can be resumed there.
    func headers(at address: WebAddress) -> [String] {
        guard let point, count > 0, point.sender.hasResource(of: address) else { return [] }
        return point.headers(from: count)
    }

    /// Prepares for the body of a response with status 200 or 206; `false` if the whole file must be requested.
    func begin(_ status: Int, _ headers: HeaderFields, from sender: WebAddress, announced: Int?) throws(Failure) -> Bool
    {
        self.sender = sender
        let isRangeRequest = !self.headers(at: sender).isEmpty
        if let point, isRangeRequest {
            switch point.classify(status: status, headers: headers, offset: count) {
            case .rest:
                // The first response may not have announced the size.
                self.point?.total = announced
                return true
            case .unusable:
                try restart()
                return false
            case .whole, .other: break
            }
        }
        try restart()
        // Ranges are those of the compressed body.
        guard isResumable, !headers.isEncoded else { return true }
        point = CacheValidator(headers).map {
            ResumePoint(validator: $0, sender: sender, total: announced, lastModified: headers["last-modified"])
        }
        return true
    }

    /// Writes received bytes; returns `false` if the rest is not needed.
    func receive(_ chunk: UnsafeRawBufferPointer, _ headers: HeaderFields, announced: Int?) throws(Failure) -> Bool {
        do throws(FileError) {
            try unsafe partial.write(chunk)
        } catch {
            throw failure(error, announced: point?.total ?? announced)
        }
        unsafe hash.update(chunk)
        count += chunk.count
        try unsafe check(chunk, headers, announced: announced)
        unsafe readPrefix(chunk)
        updateProgress(announced)
        if count - notedCount >= Self.noteStep, lastNote.duration(to: .now) > Self.noteInterval { writeNote() }
        return rejection == nil && !mayStop(announced: point?.total ?? announced)
    }

    /// The run's failure for an error of the disk; says how much space the file still needs if the disk is full.
    private func failure(_ error: FileError, announced: Int?) -> Failure {
        guard error.isDiskFull else { return Failure(.disk, error.description, scope: .run) }
        let need = announced.map { "; the file needs \((max(0, $0 - count) + 999_999) / 1_000_000) MB more" } ?? ""
        return Failure(.disk, error.description + need, scope: .run, hint: .freeDiskSpace)
    }

    private func readPrefix(_ chunk: UnsafeRawBufferPointer) {
        guard sufficient == nil, let part = unsafe prefix?.receive(chunk) else { return }
        sufficient = (part, nil)
        prefix = nil
    }

    /// Whether enough bytes have arrived, and too many are left to receive them only for the connection.
    private func mayStop(announced: Int?) -> Bool {
        guard sufficient != nil else { return false }
        sufficient?.announced = announced
        return announced.map { $0 - count > Self.maxDrainedBytes } ?? true
    }

    /// Whether a part of the file may suffice.
    var readsPrefix: Bool { newPrefix != nil }

    /// The result of a download of which a part suffices; `nil` if the whole file is needed.
    var stopped: StoppedDownload? {
        sufficient.map {
            StoppedDownload(received: count, announced: $0.announced, previewed: $0.part.previewed)
        }
    }

    /// Replaces the received bytes by the file that the part makes, if a part suffices.
    func cut() throws(Failure) {
        guard let part = sufficient?.part else { return }
        do throws(FileError) {
            try partial.truncate(to: part.length)
            try partial.write(part.ending)
        } catch {
            throw Failure(.disk, error.description, scope: .run)
        }
    }

    /// Removes all bytes received so far, and needs the whole file if the part was not an intact file.
    func restartWhole() throws(Failure) {
        if sufficient != nil { newPrefix = nil }
        try restart()
    }

    private func updateProgress(_ announced: Int?) {
        guard abs(count - progressCount) >= Self.progressStep else { return }
        progressCount = count
        let now = ContinuousClock.now
        guard now - lastProgress >= Self.progressInterval else { return }
        lastProgress = now
        reportProgress(count, point?.total ?? announced)
    }

    /// The SHA-256 of all bytes so far.
    var sha256: String { hash.currentValue() }

    /// The file, for the record of an exchange.
    var recordedBody: RecordedExchange.Body { .file(partial, sha256: sha256) }

    /// Adds the headers that a 206 response may omit.
    func completed(_ headers: HeaderFields) -> HeaderFields { point?.completed(headers) ?? headers }

    /// Whether the file has the size that the first response announced.
    var isComplete: Bool { point?.total.map { $0 == count } ?? true }

    /// Removes all bytes received so far.
    func restart() throws(Failure) {
        try removeNote()
        if try Failure.onDisk(partial.length) > 0 { try Failure.onDisk(partial.truncate()) }
        if count > 0 { hash = SHA256() }
        (count, notedCount, point, rejection) = (0, 0, nil, nil)
        (sufficient, prefix) = (nil, newPrefix)
        (start, isDecided) = ([], earlyCheck == nil)
    }

    func removeNote() throws(Failure) {
        try Failure.onDisk(partial.removeNote())
    }

    /// Keeps the partial file and its note if another run can resume it, and removes both otherwise.
    func close(after failure: Failure) {
        if !failure.cause.isRetryable || !writeNote() { try? partial.remove() }
    }

    /// Keeps the bytes with a note if another attempt can resume the download, and empties the file otherwise.
    func suspend(after failure: Failure) {
        if !failure.cause.isRetryable || !writeNote() { try? restart() }
    }

    /// Removes the partial file and its note.
    func discard() {
        try? partial.remove()
    }

    @discardableResult private func writeNote() -> Bool {
        (lastNote, notedCount) = (.now, count)
        guard let point, count > 0 else { return false }
        let note = ResumeNote(url: url, point: point, bytes: count, sha256: sha256)
        return (try? partial.save(note: note.text)) != nil
    }

    /// Hashes the bytes that the note covers, and runs the early check; `false` if the hash is not the note's.
    private func resume(_ note: ResumeNote) throws(Failure) -> Bool {
        do throws(FileError) {
            guard try partial.length >= note.bytes else { return false }
            while count < note.bytes {
                let chunk = try partial.read(at: count, count: min(1 << 20, note.bytes - count))
                guard !chunk.isEmpty else { return false }
                unsafe chunk.withUnsafeBytes {
                    unsafe hash.update($0)
                    unsafe readPrefix($0)
                }
                if start.count < Self.maxCheckedBytes { start += chunk }
                count += chunk.count
            }
            guard sha256 == note.sha256 else { return false }
            try partial.truncate(to: count)
        } catch {
            throw Failure(.disk, error.description, scope: .run)
        }
        let empty = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        try unsafe check(empty, HeaderFields(), announced: note.point.total)
        return true
    }

    /// Runs the early check on the first bytes, each time that their number has doubled.
    private func check(
        _ chunk: UnsafeRawBufferPointer, _ headers: HeaderFields, announced: Int?
    ) throws(Failure) {
        guard !isDecided, earlyCheck != nil else { return }
        var offset = 0
        repeat {
            let count = min(chunk.count - offset, max(start.count, Self.firstCheckedBytes))
            let piece = unsafe UnsafeRawBufferPointer(rebasing: chunk[offset..<offset + count])
            try unsafe checkPiece(piece, headers, announced: announced)
            offset += count
        } while offset < chunk.count && !isDecided && rejection == nil
    }

    /// The address that sent the response, if it is another than the requested one.
    private var finalURL: String? { sender.flatMap { $0.text === url ? nil : $0.text } }

    private func checkPiece(
        _ chunk: UnsafeRawBufferPointer, _ headers: HeaderFields, announced: Int?
    ) throws(Failure) {
        guard !isDecided, let earlyCheck else { return }
        let seen = start.count
        unsafe start.append(contentsOf: chunk)
        // The number of leading zeros drops when the count passes a power of two.
        guard unsafe seen == 0 || chunk.isEmpty || start.count.leadingZeroBitCount < seen.leadingZeroBitCount else {
            return
        }
        do throws(Failure) {
            switch try earlyCheck(start, headers) {
            case .undecided: isDecided = start.count >= Self.maxCheckedBytes
            case .accepted: isDecided = true
            case .rejected(let reason):
                rejection = RejectedDownload(reason: reason, received: count, announced: announced)
                rejection?.finalURL = finalURL
            }
        } catch {
            var failure = error
            failure.finalURL = failure.finalURL ?? finalURL
            failure.savedBytes = announced.map { max(0, $0 - count) }
            throw failure
        }
        if isDecided { start = [] }
    }
}

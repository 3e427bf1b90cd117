// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Where a download's bytes go, over all its attempts: hashed, judged, and taken up again where that is safe.
///
/// It is Sendable because it has one holder at a time: whoever asks for the download, and while an exchange is under way
/// the loop's thread.
final class Landing: @unchecked Sendable {
    /// How much of a body a judge may look at.
    private static let mostJudged = 256 << 10
    /// After so long and so many bytes a note is worth its write: a killed run loses no more than that.
    private static let noteInterval = Duration.seconds(1)
    private static let noteStep = 32 << 10

    /// How far a download has come is told no more often, and looked at behind so many bytes.
    private static let progressInterval = Duration.milliseconds(250)
    private static let progressStep = 16 << 10

    private let partial: PartialFile
    private let url: String
    private let judge: Judge?
    private let progressed: @Sendable (_ count: Int, _ total: Int?) -> Void
    private var hash = SHA256()
    private var start: [UInt8] = []
    private var isJudged: Bool
    private var lastNote = ContinuousClock.now
    private var notedCount = 0
    private var lastProgress = ContinuousClock.now
    private var progressCount = 0
    /// Whether the file may hold bytes, and whether a note may lie beside it: nothing is cleared away that never was.
    private var (hasBytes, hasNote) = (false, false)

    /// How many bytes have arrived, in this run and before.
    private(set) var count = 0
    /// What allows to go on behind them, if anything does.
    private(set) var point: ResumePoint?
    /// Why the judge declined, once it did.
    private(set) var declined: Declined?

    /// Takes up what an earlier run left, or begins with nothing.
    init(
        _ partial: PartialFile, for url: String, judge: Judge?,
        progressed: @escaping @Sendable (_ count: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws(Failure) {
        self.partial = partial
        self.progressed = progressed
        // No password lies about on the disk.
        self.url = WebAddress(url)?.text ?? Userinfo.split(url).url
        self.judge = judge
        isJudged = judge == nil
        hasBytes = try Failure.onDisk(partial.length) > 0
        // A note is about bytes: beside none it tells nothing.
        hasNote = hasBytes
        let note = hasNote ? partial.note.flatMap { ResumeNote($0) } : nil
        if let note, note.url == self.url, try takeUp(note) {
            point = note.point
        } else {
            try restart()
        }
    }

    /// What to ask `address` for, beside the rest of the request.
    func headers(at address: WebAddress) -> [String] {
        guard let point, count > 0, point.sender.hasOrigin(of: address) else { return [] }
        return point.headers(from: count)
    }

    /// Makes ready for the body of a reply with the status 200 or 206; `false` if the whole must be asked for.
    func begin(_ status: Int, _ headers: HeaderFields, from sender: WebAddress, announced: Int?) throws(Failure) -> Bool
    {
        let wasAsked = !self.headers(at: sender).isEmpty
        if let point, wasAsked {
            switch point.answer(status: status, headers: headers, offset: count) {
            case .rest: return true
            case .nothing:
                try restart()
                return false
            case .whole, .other: break
            }
        }
        try restart()
        point = Validator(headers).map {
            ResumePoint(validator: $0, sender: sender, total: announced, lastModified: headers["last-modified"])
        }
        return true
    }

    /// Takes up what arrived; `false` if the judge wants no more of it.
    func receive(_ chunk: UnsafeRawBufferPointer, _ headers: HeaderFields, announced: Int?) throws(Failure) -> Bool {
        hasBytes = true
        do throws(FileError) {
            try unsafe partial.write(chunk)
        } catch {
            throw Failure(.disk, error.description)
        }
        unsafe hash.update(chunk)
        count += chunk.count
        try unsafe look(at: chunk, headers, announced: announced)
        tellProgress(announced)
        if count - notedCount >= Self.noteStep, lastNote.duration(to: .now) > Self.noteInterval { keepNote() }
        return declined == nil
    }

    private func tellProgress(_ announced: Int?) {
        guard abs(count - progressCount) >= Self.progressStep else { return }
        progressCount = count
        let now = ContinuousClock.now
        guard now - lastProgress >= Self.progressInterval else { return }
        lastProgress = now
        progressed(count, point?.total ?? announced)
    }

    /// The SHA-256 of all that arrived.
    var sha256: String { hash.soFar() }

    /// A reply's headers, as they would be had the whole come at once.
    func completed(_ headers: HeaderFields) -> HeaderFields { point?.completed(headers) ?? headers }

    /// Whether the body is as long as the reply that it began with said.
    var isWhole: Bool { point?.total.map { $0 == count } ?? true }

    /// Forgets what arrived.
    func restart() throws(Failure) {
        try removeNote()
        if hasBytes { try Failure.onDisk(partial.truncate()) }
        hasBytes = false
        if count > 0 { hash = SHA256() }
        (count, notedCount, point, declined) = (0, 0, nil, nil)
        (start, isJudged) = ([], judge == nil)
    }

    /// Leaves no note beside a file that nobody need go on with.
    func removeNote() throws(Failure) {
        if hasNote { try Failure.onDisk(partial.removeNote()) }
        hasNote = false
    }

    /// Leaves behind what another run can go on with, and nothing else.
    func leave(after failure: Failure) {
        if !failure.cause.isWorthRetry || !keepNote() { try? partial.remove() }
    }

    /// Leaves nothing behind.
    func discard() {
        try? partial.remove()
    }

    @discardableResult private func keepNote() -> Bool {
        (lastNote, notedCount) = (.now, count)
        guard let point, count > 0 else { return false }
        let note = ResumeNote(url: url, point: point, bytes: count, sha256: sha256)
        hasNote = true
        return (try? partial.keep(note: note.text)) != nil
    }

    /// Hashes what the note is about, and shows it to the judge; `false` if it is not what the note says.
    private func takeUp(_ note: ResumeNote) throws(Failure) -> Bool {
        do throws(FileError) {
            guard try partial.length >= note.bytes else { return false }
            while count < note.bytes {
                let chunk = try partial.read(at: count, count: min(1 << 20, note.bytes - count))
                guard !chunk.isEmpty else { return false }
                unsafe chunk.withUnsafeBytes { unsafe hash.update($0) }
                if start.count < Self.mostJudged { start += chunk }
                count += chunk.count
            }
            guard sha256 == note.sha256 else { return false }
            try partial.truncate(to: count)
        } catch {
            throw Failure(.disk, error.description)
        }
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        try unsafe look(at: nothing, HeaderFields(), announced: note.point.total)
        return true
    }

    /// Shows the judge what has come, each time twice as much as before.
    private func look(at chunk: UnsafeRawBufferPointer, _ headers: HeaderFields, announced: Int?) throws(Failure) {
        guard !isJudged, let judge else { return }
        let seen = start.count
        unsafe start.append(contentsOf: chunk)
        // Whether the doubling is reached shows by the highest bit.
        guard unsafe seen == 0 || chunk.isEmpty || start.count.leadingZeroBitCount < seen.leadingZeroBitCount else {
            return
        }
        do throws(Failure) {
            switch try judge(start, headers) {
            case .undecided: isJudged = start.count >= Self.mostJudged
            case .accepted: isJudged = true
            case .declined(let reason): declined = Declined(reason: reason, received: count, announced: announced)
            }
        } catch {
            var failure = error
            failure.savedBytes = announced.map { max(0, $0 - count) }
            throw failure
        }
        if isJudged { start = [] }
    }
}

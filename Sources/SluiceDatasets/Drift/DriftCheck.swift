// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
public import SluiceModel
internal import SluiceTransfer

/// Asks hosts whether they still have the photos of a mirror, without storing what they send.
///
/// Requests are conditional and obey the same limits as those of a run. A host that knows no versions sends the photo
/// again, and its SHA-256 is compared. A photo of another size is not downloaded.
public final class DriftCheck: Sendable {
    /// The mirror's folder.
    public let folder: String
    /// The sources of the mirror, whose rules for hosts apply.
    public let sources: [String]
    /// The options of the requests.
    public let options: MirrorOptions
    /// The share of the photos to ask for, from 0 to 1; the SHA-256 of a photo's address decides whether it belongs.
    public let share: Double
    /// Whether photos whose hosts reserve the training of models since their download have a state of their own.
    public let findsReservations: Bool
    /// Whether photos whose licence has changed in the feed since their download have a state of their own.
    public let findsLicenses: Bool
    private let token = CancellationToken()

    /// Describes a check of a mirror with one source.
    public convenience init(of folder: String, from source: String, options: MirrorOptions, share: Double = 1) {
        self.init(of: folder, from: [source], options: options, share: share)
    }

    /// Describes a check; nothing is opened before ``run(_:)``.
    public init(
        of folder: String, from sources: [String], options: MirrorOptions, share: Double = 1,
        findsReservations: Bool = false, findsLicenses: Bool = false
    ) {
        (self.folder, self.sources, self.options, self.share) = (folder, sources, options, share)
        (self.findsReservations, self.findsLicenses) = (findsReservations, findsLicenses)
    }

    /// Stops the check; requests in flight are cancelled.
    public func stop() { token.cancel() }

    /// Performs the check, and calls `body` with each photo that is not the same, in the mirror's order.
    ///
    /// It does so at the end, because only all answers show which pictures are placeholders. Memory use depends on the
    /// number of these photos.
    public func run(_ body: (DriftReport.CheckedPhoto) -> Void = { _ in }) async throws(MirrorError) -> DriftReport {
        let mirror = try MirrorFolder.open(folder)
        let limit = DescriptorLimit.raised()
        try limit.check()
        let known = try sources.map { (source) throws(MirrorError) in
            try MirrorError.atSource(Self.parsed(source))
        }
        let session = try FeedSession(
            known, options: options, width: limit.width(for: options.concurrency), token: token)
        let checker = PhotoChecker(
            transfers: session.transfers, respectsRobotsTxt: session.respectsRobotsTxt, options: options,
            folder: mirror.state, findsReservations: findsReservations,
            findsLicenses: findsLicenses)
        let answers = Locked(DriftAnswers())
        let now = Machine.secondsSince1970
        var batches = mirror.ledger.batches()
        while !token.isCancelled, let entries = try MirrorError.inLedger(batches.next()) {
            for photo in entries.compactMap(PhotoChecker.Photo.init) where photo.isIn(share) && !token.isCancelled {
                let fetchedAt = try MirrorError.inLedger(mirror.ledger.fetchTime(of: photo.item))
                let age = DriftReport.Age(seconds: fetchedAt.map { now - $0 })
                let record: @Sendable (PhotoChecker.Answer) -> Void = { answer in
                    guard answer.failure?.cause != .cancelled else { return }
                    answers.withLock { $0.add(answer, about: photo, age: age) }
                }
                if let refusal = checker.refusal(of: photo.host) {
                    record(PhotoChecker.Answer(refusal))
                    continue
                }
                await session.pool.waitForRoom()
                session.pool.submit(host: photo.host) { slot in
                    record(await checker.check(photo, slot: slot))
                } dropped: { failure in
                    record(PhotoChecker.Answer(failure))
                }
            }
        }
        await session.pool.waitUntilIdle()
        mirror.close()
        var result = answers.withLock { $0.report(body) }
        result.isStopped = token.isCancelled
        return result
    }

    /// Parses the source; a list need not exist any more.
    private static func parsed(_ source: String) throws(SourceError) -> Source {
        if let known = try? Source(source) { return known }
        return try Source(planned: source, isList: true)
    }
}

/// The photos of a mirror that may no longer be kept.
public struct WithdrawnPhotos: Sendable {
    private let photos: [DriftReport.CheckedPhoto]
    private let folder: String

    /// Selects them among the photos that a check found in the mirror in `folder`.
    public init(of checked: [DriftReport.CheckedPhoto], in folder: String) {
        photos = checked.filter(\.state.isWithdrawal)
        self.folder = folder
    }

    /// The number of photos.
    public var count: Int { photos.count }

    /// Why removing them exceeds the limit, of `total` photos that were checked; `nil` if it does not.
    public func refusal(of total: Int, limit: Double) -> String? {
        var options = PruneOptions()
        options.limit = limit
        return options.refusal(of: count, of: total)
    }

    /// Removes the photos with their files, and writes manifest and gallery again; returns their number.
    ///
    /// The ledger keeps them as skipped with the cause `withdrawn`, so that no later run downloads them, unless it
    /// retries this cause. A dry run changes nothing.
    public func remove(buckets: S3Options = S3Options(), isDryRun: Bool = false) throws(MirrorError) -> Int {
        let mirror = try MirrorFolder.open(folder, buckets: buckets, isDryRun: isDryRun)
        var withdrawn: [(entry: LedgerEntry, failure: Failure)] = []
        for photo in photos {
            // Another run may have replaced the photo meanwhile.
            guard let entry = try MirrorError.inLedger(mirror.ledger.entry(at: photo.item)),
                let receipt = entry.receipt, receipt.state == .done, receipt.url === photo.url
            else { continue }
            let reason = photo.state == .gone ? photo.failure?.cause.name ?? photo.state.rawValue : photo.state.rawValue
            withdrawn.append((entry, Failure(.withdrawn, reason)))
        }
        try mirror.ledger.drop(withdrawn, from: mirror.store)
        if !withdrawn.isEmpty { try mirror.completeOutput() }
        try mirror.endSession()
        mirror.close()
        return withdrawn.count
    }
}

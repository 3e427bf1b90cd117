// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Keeps the lease of a location in a bucket, and copies the ledger there, as long as a run writes to it.
///
/// Another machine continues with the last copy. It lacks the results of the last seconds, whose photos the other
/// machine then processes again.
final class BucketSession: Sendable {
    /// The shortest time between two copies of the ledger, in seconds.
    private static let shortestInterval = 5
    /// Copying may take one part in this many of the time.
    private static let timeShare = 20

    private struct Copies {
        /// The state of the ledger that the bucket has.
        var changeCount = 0
        /// When the next copy is due.
        var next = ContinuousClock.now + .seconds(shortestInterval)
        var ledger: Ledger?
        var timers: [RepeatingTimer] = []
    }

    private let store: S3Store
    private let lease: S3Lease
    private let state: Folder
    private let copies = Locked(Copies())
    // A long upload must not delay the renewal of the lease.
    private let renewals = DispatchQueue(label: "sluice.bucket.lease")
    private let uploads = DispatchQueue(label: "sluice.bucket.ledger")

    init(_ store: S3Store, lease: S3Lease, state: Folder) {
        (self.store, self.lease, self.state) = (store, lease, state)
        store.abortUploads()
    }

    deinit { lease.release() }

    /// Begins to renew the lease and to copy the ledger, if there is one.
    func begin(_ ledger: Ledger?, leaseSeconds: Int) {
        let renewing = RepeatingTimer(every: .milliseconds(leaseSeconds * 250), on: renewals) { [lease] in lease.renew()
        }
        let copying = RepeatingTimer(every: .seconds(1), on: uploads) { [weak self] in
            // The next attempt may succeed, and so may the last one at the end of the run.
            try? self?.copyLedger(ifDue: true)
        }
        copies.withLock { copies in
            copies.ledger = ledger
            copies.timers = [renewing, copying]
        }
    }

    /// Copies the ledger for the last time and releases the lease; throws if the bucket's copy is out of date.
    ///
    /// A second call does nothing.
    func end() throws(MirrorError) {
        let timers = copies.withLock { copies in
            defer { copies.timers = [] }
            return copies.timers
        }
        guard !timers.isEmpty else { return }
        for timer in timers { timer.cancel() }
        defer {
            copies.withLock { $0.ledger = nil }
            lease.release()
        }
        let result = uploads.sync { Result { () throws(MirrorError) in try copyLedger(ifDue: false) } }
        try result.get()
    }

    /// Copies the ledger to the bucket if it has changed.
    private func copyLedger(ifDue: Bool) throws(MirrorError) {
        let (ledger, known, next) = copies.withLock { ($0.ledger, $0.changeCount, $0.next) }
        let start = ContinuousClock.now
        guard let ledger, !ifDue || next <= start else { return }
        guard try MirrorError.inLedger(ledger.changeCount()) != known else { return }
        let publication = String(UInt64.random(in: .min ... .max), radix: 36)
        try MirrorError.inLedger(ledger.record(publication: publication))
        let count = try MirrorError.inLedger(ledger.changeCount())
        let staged = StagedFile(temporary: "\(MirrorFolder.partial)/ledger-copy", name: Ledger.name)
        try MirrorError.inLedger(Ledger.copy(from: state, to: staged.temporary))
        try MirrorError.onDisk(store.replace(staged))
        lease.takeLedger(publishedAs: publication)
        let pause = max(.seconds(Self.shortestInterval), start.duration(to: .now) * (Self.timeShare - 1))
        copies.withLock { ($0.changeCount, $0.next) = (count, .now + pause) }
    }
}

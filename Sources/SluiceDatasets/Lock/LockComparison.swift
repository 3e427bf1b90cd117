// SPDX-License-Identifier: MIT

public import SluiceEngine
public import SluiceModel

/// How a photo differs from its line in a lock.
public enum LockedState: String, Sendable, Hashable, CaseIterable {
    /// The file has the same bytes.
    case same
    /// Other bytes show a similar picture.
    case reencoded = "re-encoded"
    /// Another picture.
    case replaced
    /// A picture that stands for missing ones.
    case placeholder
    /// A web page came in place of the photo.
    case page
    /// The address leads to the home page of a site.
    case home
    /// The server says that it has no such photo.
    case gone
    /// The photo could not be loaded, which may be temporary.
    case failed
}

/// Compares the photos of a lock with those of a mirror that was made from it.
public struct LockComparison: Sendable {
    /// A photo of the lock with its state.
    public struct ComparedPhoto: Sendable, Hashable {
        /// The line of the lock.
        public let locked: LockedPhoto
        /// How the photo differs from the lock.
        public let state: LockedState
        /// The reason why it is gone or failed, or the SHA-256 of its new file.
        public let evidence: String
    }

    /// The states in which a photo differs from the lock.
    public static let changes = LockedState.allCases.filter { $0 != .same }

    /// The most bits in which the perceptual hashes of the same picture differ.
    static let maximumDistance = 8
    /// The number of photos in each state.
    public private(set) var counts: [LockedState: Int] = [:]

    /// Compares the lock at a path, and calls `body` with each photo in the lock's order.
    ///
    /// A photo that failed in the last run counts as such, although the mirror still has the file of an earlier run.
    /// It reads the lock twice: the first time to find pictures that many addresses deliver. Memory use depends on the
    /// number of different new pictures only.
    public init(
        of lock: String, in folder: String, after run: LockRun = LockRun(), _ body: (ComparedPhoto) -> Void
    ) throws(MirrorError) {
        let mirror = try MirrorFolder.open(reading: folder)
        let ledger = mirror.ledger
        var placeholders = PlaceholderCounts()
        try DatasetLock.forEachPhoto(ofLock: lock) { locked throws(MirrorError) in
            let receipt = try run.receipt(of: locked, in: ledger)
            if let receipt, Self.state(of: locked, receipt) == .replaced { placeholders.count(receipt) }
        }
        try DatasetLock.forEachPhoto(ofLock: lock) { locked throws(MirrorError) in
            let receipt = try run.receipt(of: locked, in: ledger)
            var state = receipt.map { Self.state(of: locked, $0) } ?? .failed
            if state == .replaced, let receipt, placeholders.isPlaceholder(receipt) { state = .placeholder }
            counts[state, default: 0] += 1
            body(ComparedPhoto(locked: locked, state: state, evidence: Self.evidence(receipt)))
        }
    }

    /// The state of a photo, without the knowledge of other photos.
    static func state(of locked: LockedPhoto, _ receipt: Receipt) -> LockedState {
        guard receipt.state == .done, let original = receipt.original else {
            guard let failure = receipt.failure else { return .failed }
            switch Substitute(failure, of: locked.url) {
            case .home: return .home
            case .page: return .page
            case nil: return failure.isAbsence ? .gone : .failed
            }
        }
        guard original.sha256 != locked.sha256 else { return .same }
        guard !Substitute.isPlaceholder(receipt.finalURL ?? receipt.url ?? locked.url) else { return .placeholder }
        guard let old = locked.phash, let new = receipt.phash.flatMap({ UInt64($0, radix: 16) }) else {
            return .replaced
        }
        return (old ^ new).nonzeroBitCount <= maximumDistance ? .reencoded : .replaced
    }

    private static func evidence(_ receipt: Receipt?) -> String {
        guard let receipt else { return Cause.deferred.name }
        return receipt.failure.map { "\($0)" } ?? receipt.original?.sha256 ?? ""
    }
}

/// Counts the new pictures of a lock's addresses, by their bytes and by their looks.
private struct PlaceholderCounts {
    private var bySHA256: [String: Int] = [:]
    private var byPicture: [String: Int] = [:]

    mutating func count(_ receipt: Receipt) {
        if let sha256 = receipt.original?.sha256 { bySHA256[sha256, default: 0] += 1 }
        if let phash = receipt.phash { byPicture[phash, default: 0] += 1 }
    }

    func isPlaceholder(_ receipt: Receipt) -> Bool {
        let counts = [receipt.original.flatMap { bySHA256[$0.sha256] }, receipt.phash.flatMap { byPicture[$0] }]
        return counts.contains { $0 ?? 0 >= Substitute.minimumPlaceholders }
    }
}

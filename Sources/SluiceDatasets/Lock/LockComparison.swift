// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceLedger
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
    /// At least this many addresses whose photos differed before deliver a placeholder.
    static let minimumPlaceholders = 5

    /// The number of photos in each state.
    public private(set) var counts: [LockedState: Int] = [:]

    /// Compares the lock at a path, and calls `body` with each photo in the lock's order.
    ///
    /// It reads the lock twice: the first time to find pictures that many addresses deliver. Memory use depends on the
    /// number of different new pictures only.
    public init(of lock: String, in folder: String, _ body: (ComparedPhoto) -> Void) throws(MirrorError) {
        let mirror = try MirrorFolder.open(reading: folder)
        let ledger = mirror.ledger
        var placeholders = PlaceholderCounts()
        try DatasetLock.forEachPhoto(ofLock: lock) { locked throws(MirrorError) in
            let receipt = try MirrorError.inLedger(ledger.receipt(ofListedPhoto: locked.url))
            if let receipt, Self.state(of: locked, receipt) == .replaced { placeholders.count(receipt) }
        }
        try DatasetLock.forEachPhoto(ofLock: lock) { locked throws(MirrorError) in
            let receipt = try MirrorError.inLedger(ledger.receipt(ofListedPhoto: locked.url))
            var state = receipt.map { Self.state(of: locked, $0) } ?? .failed
            if state == .replaced, let receipt, placeholders.isPlaceholder(receipt) { state = .placeholder }
            counts[state, default: 0] += 1
            body(ComparedPhoto(locked: locked, state: state, evidence: Self.evidence(receipt)))
        }
    }

    /// The state of a photo, without the knowledge of other photos.
    static func state(of locked: LockedPhoto, _ receipt: Receipt) -> LockedState {
        guard receipt.state == .done, let original = receipt.original else {
            switch receipt.failure?.cause {
            case .httpClientError(404), .httpClientError(410): return .gone
            default: return .failed
            }
        }
        guard original.sha256 != locked.sha256 else { return .same }
        guard !KnownPlaceholders.contain(receipt.finalURL ?? receipt.url ?? locked.url) else { return .placeholder }
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
        return counts.contains { $0 ?? 0 >= LockComparison.minimumPlaceholders }
    }
}

/// Addresses at which services serve a picture that stands for missing photos.
enum KnownPlaceholders {
    /// The last components of such addresses: Imgur's and Flickr's.
    private static let names = ["removed.png", "photo_unavailable"]

    static func contain(_ url: String) -> Bool {
        let path = url.split(separator: "?", maxSplits: 1).first ?? ""
        let name = path.split(separator: "/").last ?? ""
        return names.contains { name.hasPrefix($0) }
    }
}

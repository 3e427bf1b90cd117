// SPDX-License-Identifier: MIT

/// What a verification came to.
public struct VerificationReport: Sendable, Hashable {
    /// How many items' files were looked at.
    public internal(set) var items = 0
    /// How many files there should be.
    public internal(set) var files = 0
    /// How many bytes they should have.
    public internal(set) var bytes = 0
    /// How many faults there are of each kind.
    public internal(set) var faults: [FileFault.Kind: Int] = [:]
    /// The items with a fault, by the feed that they are of: what a repair takes up.
    public internal(set) var broken: [String: BrokenItems] = [:]
    /// Whether it was stopped before its end.
    public internal(set) var isStopped = false

    /// Whether everything that the ledger promises is there; files that it does not know are no fault of it.
    public var isSound: Bool { broken.isEmpty && !isStopped }
}

/// Items of one feed whose files are not what their receipts tell.
public struct BrokenItems: Sendable, Hashable {
    /// Their places.
    public internal(set) var items: [Int] = []
    /// Files that stand, and must be made anew all the same.
    var files: Set<String> = []
    /// The sizes of all their thumbnails.
    var sizes: Set<String> = []
}

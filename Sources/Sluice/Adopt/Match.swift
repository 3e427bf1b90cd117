// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Which file is which photo's, as far as there is one answer: a pure value that is told of one photo after the other.
///
/// What is stronger counts first, and what it has settled no longer stands in the way of what is weaker. Memory grows
/// with the files, and not with the photos: of one file only the first few are kept that could claim it.
struct Match {
    /// A file that may be a photo's.
    struct Hit: Sendable, Hashable {
        let file: Int
        let basis: FoundFile.Basis
        /// How much of it speaks for that, among others of its kind.
        let score: Int

        init(_ file: Int, _ basis: FoundFile.Basis, _ score: Int = 0) {
            (self.file, self.basis, self.score) = (file, basis, score)
        }
    }

    /// The photos that could claim a file, all equally well.
    private struct Rivals {
        static let most = 8
        var score = Int.min
        var items: [(seq: Int, isWanted: Bool)] = []
        var count = 0

        mutating func add(_ seq: Int, isWanted: Bool, score: Int) {
            guard score >= self.score else { return }
            if score > self.score { (self.score, items, count) = (score, [], 0) }
            count += 1
            if items.count < Self.most { items.append((seq, isWanted)) }
        }
    }

    /// What each file is found to be, by its index.
    private(set) var found: [FoundFile]
    /// The file of each photo that has one now.
    private(set) var files: [Int: Int] = [:]
    private var rivals: [FoundFile.Basis: [Int: Rivals]] = [:]
    /// The photos that several files could be of.
    private var choices: [FoundFile.Basis: [Int: [Int]]] = [:]

    /// Begins with files that nobody knows.
    init(of paths: [String]) { found = paths.map { FoundFile($0) } }

    /// Takes in what may be a photo's file; `isWanted` says whether the photo has need of one.
    mutating func add(_ hits: [Hit], for seq: Int, isWanted: Bool) {
        for (basis, hits) in Dictionary(grouping: hits, by: \.basis) {
            let score = hits.map(\.score).max() ?? 0
            let best = hits.filter { $0.score == score }.map(\.file)
            for file in best {
                rivals[basis, default: [:]][file, default: Rivals()].add(seq, isWanted: isWanted, score: score)
            }
            if best.count > 1, isWanted { choices[basis, default: [:]][seq] = best }
        }
    }

    /// Comes to an end; `areSame` says whether files have the same bytes, so that any of them will do.
    mutating func settle(areSame: ([Int]) async -> Bool) async {
        for basis in FoundFile.Basis.allCases {
            for file in (rivals[basis] ?? [:]).keys.sorted() where !isSettled(file) {
                await settle(file, by: basis, areSame)
            }
        }
    }

    private func isSettled(_ file: Int) -> Bool { [.match, .needless].contains(found[file].verdict) }

    private mutating func settle(_ file: Int, by basis: FoundFile.Basis, _ areSame: ([Int]) async -> Bool) async {
        guard let rivals = rivals[basis]?[file] else { return }
        let wanted = rivals.items.filter { $0.isWanted && files[$0.seq] == nil }.map(\.seq)
        let others = rivals.items.contains { !$0.isWanted }
        let isOnly = rivals.count == rivals.items.count && wanted.count == 1 && !others
        // Of the same bytes each may have its own; what is done already has nothing to say there.
        guard isOnly || basis == .hash && !wanted.isEmpty else {
            let isNeedless = rivals.count == rivals.items.count && wanted.isEmpty
            return note(file, isNeedless ? .needless : .ambiguous, basis, rivals.items.map(\.seq))
        }
        for seq in wanted {
            let choice = basis == .hash ? [] : choices[basis]?[seq] ?? []
            guard let first = choice.first else { continue }
            let isAlike = first == file ? await areSame(choice) : false
            guard isAlike else { return note(file, .ambiguous, basis, [seq]) }
        }
        for seq in wanted { files[seq] = file }
        note(file, .match, basis, wanted)
    }

    /// What is weaker does not take back what was found out by something stronger, unless it settles it.
    private mutating func note(
        _ file: Int, _ verdict: FoundFile.Verdict, _ basis: FoundFile.Basis, _ items: [Int]
    ) {
        guard verdict == .match || found[file].verdict == .unknown else { return }
        (found[file].verdict, found[file].basis, found[file].items) = (verdict, basis, items)
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Matches files to photos where the evidence allows only one answer.
///
/// Photos are added one at a time. Stronger evidence is resolved first, and a match it makes is final for weaker
/// evidence. Memory grows with the number of files, not photos: each file keeps only its first few contenders.
struct FileMatcher {
    /// A file that may belong to a photo.
    struct Candidate: Sendable, Hashable {
        let file: Int
        let basis: FoundFile.Basis
        /// The strength of the evidence among candidates with the same basis.
        let score: Int

        init(_ file: Int, _ basis: FoundFile.Basis, _ score: Int = 0) {
            (self.file, self.basis, self.score) = (file, basis, score)
        }
    }

    /// The photos that a file may belong to with the same, highest score.
    private struct Contenders {
        static let limit = 8
        var score = Int.min
        /// The first photos, up to ``limit``.
        var items: [(seq: Int, isWanted: Bool)] = []
        var count = 0
        /// Whether `items` holds all of them.
        var isComplete: Bool { count == items.count }

        mutating func add(_ seq: Int, isWanted: Bool, score: Int) {
            guard score >= self.score else { return }
            if score > self.score { (self.score, items, count) = (score, [], 0) }
            count += 1
            if items.count < Self.limit { items.append((seq, isWanted)) }
        }
    }

    /// The verdict on each file, by index.
    private(set) var found: [FoundFile]
    /// The index of the file matched to each photo, by sequence number.
    private(set) var files: [Int: Int] = [:]
    private var contenders: [FoundFile.Basis: [Int: Contenders]] = [:]
    /// The candidate files of each wanted photo that has more than one.
    private var choices: [FoundFile.Basis: [Int: [Int]]] = [:]

    /// Makes a matcher for the files at `paths`, all of them unknown.
    init(of paths: [String]) { found = paths.map { FoundFile($0) } }

    /// Adds a photo's candidates; `isWanted` says whether the photo needs a file.
    mutating func add(_ candidates: [Candidate], for seq: Int, isWanted: Bool) {
        for (basis, candidates) in [FoundFile.Basis: [Candidate]](grouping: candidates, by: \.basis) {
            let score = candidates.map(\.score).max() ?? 0
            let best = candidates.filter { $0.score == score }.map(\.file)
            for file in best {
                contenders[basis, default: [:]][file, default: Contenders()].add(seq, isWanted: isWanted, score: score)
            }
            if best.count > 1, isWanted { choices[basis, default: [:]][seq] = best }
        }
    }

    /// Decides on every file; `haveSameBytes` says whether files are identical, so that any of them will do.
    mutating func resolve(haveSameBytes: ([Int]) async -> Bool) async {
        for basis in FoundFile.Basis.allCases {
            for file in (contenders[basis] ?? [:]).keys.sorted() where !isResolved(file) {
                await resolve(file, by: basis, haveSameBytes)
            }
        }
    }

    private func isResolved(_ file: Int) -> Bool { [.match, .needless].contains(found[file].verdict) }

    private mutating func resolve(
        _ file: Int, by basis: FoundFile.Basis, _ haveSameBytes: ([Int]) async -> Bool
    ) async {
        guard let contenders = contenders[basis]?[file] else { return }
        let wanted = contenders.items.filter { $0.isWanted && files[$0.seq] == nil }.map(\.seq)
        let hasFinished = contenders.items.contains { !$0.isWanted }
        let isOnly = contenders.isComplete && wanted.count == 1 && !hasFinished
        // One file can serve several photos with the same hash, whether or not another of them already has its file.
        guard isOnly || basis == .hash && !wanted.isEmpty else {
            let isNeedless = contenders.isComplete && wanted.isEmpty
            return record(isNeedless ? .needless : .ambiguous, of: file, basis, contenders.items.map(\.seq))
        }
        for seq in wanted {
            let choice = basis == .hash ? [] : choices[basis]?[seq] ?? []
            guard let first = choice.first else { continue }
            let areIdentical = first == file ? await haveSameBytes(choice) : false
            guard areIdentical else { return record(.ambiguous, of: file, basis, [seq]) }
        }
        for seq in wanted { files[seq] = file }
        record(.match, of: file, basis, wanted)
    }

    /// Records a verdict, unless stronger evidence already gave one; only a match replaces an earlier verdict.
    private mutating func record(
        _ verdict: FoundFile.Verdict, of file: Int, _ basis: FoundFile.Basis, _ items: [Int]
    ) {
        guard verdict == .match || found[file].verdict == .unknown else { return }
        (found[file].verdict, found[file].basis, found[file].items) = (verdict, basis, items)
    }
}

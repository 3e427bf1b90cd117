// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

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

/// The names that a download tool may have given a photo's file: the end of its URL's path, or its ID.
struct LikelyFileNames: Sendable {
    /// The variant's URL in normalised spelling.
    let address: String?
    /// The percent-decoded components of the URL's path, last first.
    let parts: [String]
    /// The feed's ID for the photo.
    let id: String

    init(of photo: Photo, as variant: Variant) {
        id = photo.id
        let address = WebAddress(variant.url)
        self.address = address?.text
        parts = (address?.pathComponents ?? []).reversed()
    }

    /// The suffixes of a path given as reversed components, shortest first, without an image extension.
    static func suffixes(of reversed: [String]) -> [String] {
        guard let name = reversed.first else { return [] }
        var suffixes = [stem(name)]
        for part in reversed.dropFirst().prefix(maxParts - 1) {
            suffixes.append("\(part)/\(suffixes[suffixes.count - 1])")
        }
        return suffixes
    }

    /// The score of a file whose path shares its last `count` components with the URL.
    ///
    /// Each component counts twice as much as an equal file extension.
    func score(of path: String, parts count: Int) -> Int {
        2 * count + (Self.parts(of: path).last == parts.first ? 1 : 0)
    }

    /// The file name without an image extension.
    static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            extensions.contains(name[name.index(after: dot)...].lowercased())
        else { return name }
        return String(name[..<dot])
    }

    /// Whether a file's name has the extension of an image.
    static func isPicture(_ path: String) -> Bool { stem(path) !== path }

    /// The components of a path on disk.
    static func parts(of path: String) -> [String] {
        // Split by bytes, because one Unicode character may contain a slash.
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    private static let maxParts = 4
    private static let extensions = Set(ImageFormat.allCases.flatMap(\.fileExtensions))
}

// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// An index of an adopted folder's files by path suffix, photo ID, source URL and checksum.
struct AdoptedFolderIndex {
    /// The size limit of a sidecar: a JSON file that names the URL of the file next to it.
    private static let maxSidecarBytes = 1 << 20
    /// A shorter ID may follow a `_` in a file name by chance.
    private static let minIDLength = 4
    /// The most candidates for one path suffix: a suffix that more files share identifies no photo.
    private static let maxCandidates = 16

    /// The files in walking order, without sidecars.
    let files: [FileWalker.File]
    private var bySuffix: TextMap<[Int]> = [:]
    private var byID: TextMap<[Int]> = [:]
    private var byAddress: TextMap<[Int]> = [:]
    /// The files by checksum; filled at the first request for each algorithm.
    private var byHash: [Checksum.Algorithm: [Checksum: [Int]]] = [:]

    /// Reads the names of all files in the folder at `path`, and their sidecars.
    init(_ path: String) {
        var walk = FileWalker([path])
        var all: [FileWalker.File] = []
        while let file = walk.next() { all.append(file) }
        let sidecars = Self.sidecars(among: all)
        files = all.filter { sidecars.addresses[$0.relative] == nil }
        for (index, file) in files.enumerated() {
            let suffixes = LikelyFileNames.suffixes(of: LikelyFileNames.parts(of: file.relative).reversed())
            for suffix in suffixes { bySuffix[suffix, default: []].append(index) }
            for id in Self.ids(in: suffixes.first ?? "") { byID[id, default: []].append(index) }
            for address in sidecars.addresses(of: file.relative).sorted() {
                byAddress[address, default: []].append(index)
            }
        }
    }

    /// The files with that checksum.
    ///
    /// The first call for an algorithm reads every file.
    mutating func files(with checksum: Checksum) async -> [Int] {
        let algorithm = checksum.algorithm
        if byHash[algorithm] == nil {
            let found = await concurrentMap(files) { Self.hash($0, by: algorithm) }
            byHash[algorithm] = Dictionary(grouping: files.indices.filter { found[$0] != nil }) { index in
                found[index] ?? checksum
            }
        }
        return byHash[algorithm]?[checksum] ?? []
    }

    /// The files that may be the photo with these names, scored by how much of a path agrees.
    func files(for names: LikelyFileNames) -> [FileMatcher.Candidate] {
        var candidates: [FileMatcher.Candidate] = []
        for index in names.address.flatMap({ byAddress[$0] }) ?? [] {
            candidates.append(FileMatcher.Candidate(index, .address))
        }
        let suffixes = LikelyFileNames.suffixes(of: names.parts)
        if let longest = suffixes.lastIndex(where: { bySuffix[$0] != nil }) {
            for index in bySuffix[suffixes[longest]]?.prefix(Self.maxCandidates) ?? [] {
                let score = names.score(of: files[index].relative, parts: longest + 1)
                candidates.append(FileMatcher.Candidate(index, .name, score))
            }
        }
        for index in byID[names.id] ?? [] { candidates.append(FileMatcher.Candidate(index, .id)) }
        return candidates
    }

    /// Whether the files at these indices all have the same bytes.
    func haveSameBytes(_ indices: [Int]) async -> Bool {
        let hashes = await concurrentMap(indices.map { files[$0] }) { Self.hash($0, by: .sha256) }
        return !hashes.contains(nil) && Set(hashes).count == 1
    }

    /// The possible photo IDs in a file's stem: the stem itself and the text after each `_`.
    ///
    /// Many tools put the service's name before the ID.
    private static func ids(in stem: String) -> [String] {
        var ids = [stem]
        var rest = stem[...]
        while let underscore = rest.firstIndex(of: "_") {
            rest = rest[rest.index(after: underscore)...]
            if rest.utf8.count >= minIDLength { ids.append(String(rest)) }
        }
        return ids
    }

    private static func hash(_ file: FileWalker.File, by algorithm: Checksum.Algorithm) -> Checksum? {
        guard let open = try? OpenFile.reading(file.path, followsLink: false) else { return nil }
        return Checksum(of: open.descriptor, by: algorithm)
    }

    /// The JSON files that name the URL of the file next to them.
    private struct Sidecars {
        /// The URL that each sidecar names, by the sidecar's relative path.
        var addresses: TextMap<String> = [:]

        /// The URLs that a file's sidecars name: `a.jpg.json` or `a.json` for `a.jpg`.
        func addresses(of path: String) -> TextSet {
            let stem = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
            return TextSet([path, stem].compactMap { addresses["\($0).json"] })
        }
    }

    private static func sidecars(among files: [FileWalker.File]) -> Sidecars {
        var sidecars = Sidecars()
        for file in files where file.relative.hasSuffix(".json") {
            guard let open = try? OpenFile.reading(file.path, followsLink: false),
                let size = try? open.size, size <= maxSidecarBytes, let bytes = try? open.read(at: 0, count: size),
                let address = (try? JSON(parsing: bytes))?["url"]?.text.flatMap({ WebAddress($0) })
            else { continue }
            sidecars.addresses[file.relative] = address.text
        }
        return sidecars
    }
}

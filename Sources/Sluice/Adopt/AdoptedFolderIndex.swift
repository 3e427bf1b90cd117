// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// An index of an adopted folder's files by path suffix, photo ID, source URL and checksum.
struct AdoptedFolderIndex {
    /// A shorter ID may follow a `_` in a file name by chance.
    private static let minIDLength = 4
    /// The most candidates for one path suffix: a suffix that more files share identifies no photo.
    private static let maxCandidates = 16

    /// The files in walking order, without sidecars.
    let files: [FileWalker.File]
    /// The paths of the sidecars of each file.
    private(set) var sidecars: [Int: [String]] = [:]
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
        let found = Sidecars(among: all)
        files = all.filter { !found.all.contains($0.relative) }
        for (index, file) in files.enumerated() {
            let suffixes = LikelyFileNames.suffixes(of: LikelyFileNames.parts(of: file.relative).reversed())
            for suffix in suffixes { bySuffix[suffix, default: []].append(index) }
            for id in Self.ids(in: suffixes.first ?? "") { byID[id, default: []].append(index) }
            sidecars[index] = found.paths[file.relative]
            for address in TextSet(found.addresses[file.relative] ?? []).sorted() {
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
            byHash[algorithm] = [Checksum: [Int]](grouping: files.indices.filter { found[$0] != nil }) { index in
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
        return !hashes.contains(nil) && Set<Checksum?>(hashes).count == 1
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

    /// The sidecars that belong to the folder's files.
    private struct Sidecars {
        /// The relative paths of all sidecars.
        private(set) var all: TextSet = []
        /// The paths of the sidecars, by the relative path of their file.
        private(set) var paths: TextMap<[String]> = [:]
        /// The URLs that the sidecars name, by the relative path of their file.
        private(set) var addresses: TextMap<[String]> = [:]

        init(among files: [FileWalker.File]) {
            let others = SidecarOwners(TextSet(files.lazy.map(\.relative).filter { !SidecarName.isPossible($0) }))
            for file in files where SidecarName.isPossible(file.relative) {
                guard let sidecar = PhotoSidecar(fileAt: file.path) else { continue }
                var owners = others.owners(of: file.relative)
                // `a.txt` of img2dataset is the caption of `a.jpg`, and both have the facts in `a.json`.
                let pictures = owners.filter(LikelyFileNames.isPicture)
                if !pictures.isEmpty {
                    all.formUnion(TextSet(owners.filter { !LikelyFileNames.isPicture($0) }))
                    owners = pictures
                }
                let address = sidecar.address.flatMap { WebAddress($0) }?.text
                guard !owners.isEmpty || address != nil else { continue }
                all.insert(file.relative)
                for owner in owners {
                    paths[owner, default: []].append(file.path)
                    if let address { addresses[owner, default: []].append(address) }
                }
            }
        }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// The files of a folder that another tool filled, by all that they may be known by.
struct AdoptedFolder {
    /// A file has at most so many bytes that only says where another is from.
    private static let longestNote = 1 << 20
    /// A shorter id may stand behind a `_` by chance.
    private static let shortestID = 4
    /// Of so many files with the same end of their paths none is one photo's.
    private static let mostAlike = 16

    /// The files in the walk's order, but for those that only say where another is from.
    let files: [FileWalk.File]
    private var byEnd: [String: [Int]] = [:]
    private var byID: [String: [Int]] = [:]
    private var byAddress: [String: [Int]] = [:]
    /// The files' hashes, once they are asked for.
    private var byHash: [Checksum.Algorithm: [Checksum: [Int]]] = [:]

    /// Reads the names of all files in the folder at `path`, and what was noted beside them.
    init(_ path: String) {
        var walk = FileWalk([path])
        var all: [FileWalk.File] = []
        while let file = walk.next() { all.append(file) }
        let notes = Self.notes(among: all)
        files = all.filter { notes.files[$0.relative] == nil }
        for (index, file) in files.enumerated() {
            let ends = PhotoNames.ends(of: PhotoNames.parts(of: file.relative).reversed())
            for end in ends { byEnd[end, default: []].append(index) }
            for id in Self.ids(in: ends.first ?? "") { byID[id, default: []].append(index) }
            for address in notes.addresses(of: file.relative) { byAddress[address, default: []].append(index) }
        }
    }

    /// The files with that hash; all are read when the first of its kind is asked for.
    mutating func files(with checksum: Checksum) async -> [Int] {
        let algorithm = checksum.algorithm
        if byHash[algorithm] == nil {
            let found = await inParallel(files) { Self.hash($0, by: algorithm) }
            byHash[algorithm] = Dictionary(grouping: files.indices.filter { found[$0] != nil }) { index in
                found[index] ?? checksum
            }
        }
        return byHash[algorithm]?[checksum] ?? []
    }

    /// The files that a photo's may be, for all that its names tell, with how much they do.
    func files(for names: PhotoNames) -> [Match.Hit] {
        var hits: [Match.Hit] = []
        for index in names.address.flatMap({ byAddress[$0] }) ?? [] { hits.append(Match.Hit(index, .address)) }
        let ends = PhotoNames.ends(of: names.parts)
        if let longest = ends.lastIndex(where: { byEnd[$0] != nil }) {
            for index in byEnd[ends[longest]]?.prefix(Self.mostAlike) ?? [] {
                let score = names.score(of: files[index].relative, parts: longest + 1)
                hits.append(Match.Hit(index, .name, score))
            }
        }
        for index in byID[names.id] ?? [] { hits.append(Match.Hit(index, .id)) }
        return hits
    }

    /// Whether some files have the same bytes.
    func areSame(_ indices: [Int]) async -> Bool {
        let hashes = await inParallel(indices.map { files[$0] }) { Self.hash($0, by: .sha256) }
        return !hashes.contains(nil) && Set(hashes).count == 1
    }

    /// The stem, and what stands behind each `_` in it: many tools put a service's name before the id.
    private static func ids(in stem: String) -> [String] {
        var ids = [stem]
        var rest = stem[...]
        while let bar = rest.firstIndex(of: "_") {
            rest = rest[rest.index(after: bar)...]
            if rest.utf8.count >= shortestID { ids.append(String(rest)) }
        }
        return ids
    }

    private static func hash(_ file: FileWalk.File, by algorithm: Checksum.Algorithm) -> Checksum? {
        guard let open = try? OpenFile.reading(file.path, followsLink: false) else { return nil }
        return Checksum(of: open.descriptor, by: algorithm)
    }

    /// Files of JSON that say where the file beside them is from.
    private struct Notes {
        var files: [String: String] = [:]

        /// The addresses that stand beside a file: `a.jpg.json` or `a.json` for `a.jpg`.
        func addresses(of path: String) -> Set<String> {
            let stem = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
            return Set([path, stem].compactMap { files["\($0).json"] })
        }
    }

    private static func notes(among files: [FileWalk.File]) -> Notes {
        var notes = Notes()
        for file in files where file.relative.hasSuffix(".json") {
            guard let open = try? OpenFile.reading(file.path, followsLink: false),
                let size = try? open.size, size <= longestNote, let bytes = try? open.read(at: 0, count: size),
                let address = (try? JSON(parsing: bytes))?["url"]?.text.flatMap({ WebAddress($0) })
            else { continue }
            notes.files[file.relative] = address.text
        }
        return notes
    }
}

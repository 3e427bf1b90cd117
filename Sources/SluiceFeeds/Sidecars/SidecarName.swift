// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel

/// The names of sidecars, and those of the files that they may belong to.
package enum SidecarName {
    /// The extension before `.json` in Google Takeout, which cuts it to keep names short.
    private static let takeout = "supplemental-metadata"

    /// Whether the file may be a sidecar.
    package static func isPossible(_ path: String) -> Bool { path.hasSuffix(".json") || path.hasSuffix(".xmp") }

    /// The path without its extension.
    package static func stem(of path: String) -> String { split(path).stem }

    /// The paths, and those without an extension, of the files that a sidecar may belong to, the likeliest first.
    ///
    /// `a.jpg.json`, `a.json` and `a.xmp` belong to `a.jpg`; `a.jpg.supplemental-metadata(1).json` belongs to
    /// `a(1).jpg`.
    static func files(of sidecar: String) -> [String] {
        let name = stem(of: sidecar)
        var (rest, number) = numbered(name)
        let parts = split(rest)
        if parts.ending.map({ takeout.hasPrefix($0) }) == true { rest = parts.stem }
        let numbered = split(rest)
        let file = number.isEmpty ? rest : numbered.stem + number + (numbered.ending.map { ".\($0)" } ?? "")
        // The last one is `a.b(1)` for a sidecar whose name was cut before the extension of the file: `a.b.(1).json`.
        return file === name ? [name] : [name, file, rest + number]
    }

    /// Splits a path before a number in parentheses, with which Takeout tells files of the same name apart.
    static func numbered(_ path: String) -> (rest: String, number: String) {
        guard path.hasSuffix(")"), let open = path.lastIndex(of: "("),
            path[open...].dropFirst().dropLast().allSatisfy(\.isNumber)
        else { return (path, "") }
        return (String(path[..<open]), String(path[open...]))
    }

    /// Splits a path before the last dot of its name.
    static func split(_ path: String) -> (stem: String, ending: String?) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].lastIndex(of: "."), dot > start else { return (path, nil) }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }
}

/// The files to which sidecars belong.
package struct SidecarOwners {
    /// The end of the names of copies that Google Photos edited, which have no sidecar, in the languages that other
    /// programs know.
    private static let edited = [
        "-edited", "-bearbeitet", "-bewerkt", "-edytowane", "-editado", "-ha editado", "-editat", "-modificato",
        "-modifi\u{E9}", "-\u{7DE8}\u{96C6}\u{6E08}\u{307F}", "-effects", "-mix", "-smile",
    ]
    /// The length at which Takeout cuts the names of sidecars, without their extension.
    private static let cutLength = 46
    private static let maxComparisons = 1000

    private let all: TextSet
    private let stems: [ExactText: [String]]
    private let sorted: [String]

    package init(_ paths: TextSet) {
        all = paths
        sorted = paths.sorted()
        stems = [ExactText: [String]](grouping: sorted) { ExactText(SidecarName.stem(of: $0)) }
    }

    /// Returns the paths of the files that the sidecar belongs to; none if its name tells no file.
    package func owners(of sidecar: String) -> [String] {
        let names = SidecarName.files(of: sidecar)
        var owners = names.filter(all.contains)
        if owners.isEmpty { owners = names.flatMap { stems[ExactText($0)] ?? [] } }
        if owners.isEmpty { owners = cut(sidecar, names).map { [$0] } ?? [] }
        var seen: TextSet = []
        return (owners + names.flatMap(editedCopies)).filter { seen.insert($0) }
    }

    /// The edited copies of the file: `a-edited.jpg`, `a(1)-edited.jpg`, `a-edited(1).jpg`.
    private func editedCopies(of name: String) -> [String] {
        let (stem, ending) = SidecarName.split(name)
        let (rest, number) = SidecarName.numbered(stem)
        return [(name, "", nil), (stem, "", ending), (rest, number, ending)].flatMap { (start, number, ending) in
            beginning(with: start + "-").filter { path in
                let copy = SidecarName.split(path)
                let (text, copyNumber) = SidecarName.numbered(copy.stem)
                let word = text.utf8.dropFirst(start.utf8.count)
                return copyNumber == number && (ending == nil || copy.ending == ending)
                    && Self.edited.contains {
                        $0.utf8.starts(with: word) && ($0.utf8.count == word.count || Self.isCut(copy.stem))
                    }
            }
        }
    }

    /// Whether the name, without its extension, is so long that Takeout cuts it.
    private static func isCut(_ path: String) -> Bool {
        path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count >= cutLength
    }

    /// The only file whose name begins like that of a sidecar that was cut, and has the same number.
    private func cut(_ sidecar: String, _ names: [String]) -> String? {
        let (rest, number) = SidecarName.numbered(SidecarName.stem(of: sidecar))
        guard Self.isCut(rest) else { return nil }
        return ([rest] + names.dropFirst()).lazy.compactMap { start in
            let found = beginning(with: start).filter {
                !$0.utf8.dropFirst(start.utf8.count).contains(UInt8(ascii: "/"))
                    && SidecarName.numbered(SidecarName.stem(of: $0)).number == number
            }
            return found.count == 1 ? found[0] : nil
        }.first
    }

    /// The first paths that begin with a text.
    private func beginning(with start: String) -> ArraySlice<String> {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].utf8.lexicographicallyPrecedes(start.utf8) { low = middle + 1 } else { high = middle }
        }
        return sorted[low...].prefix { $0.utf8.starts(with: start.utf8) }.prefix(Self.maxComparisons)
    }
}

extension PhotoSidecar {
    /// Reads the sidecar at `path`; `nil` for another file.
    package init?(fileAt path: String) {
        guard let open = try? OpenFile.reading(path, followsLink: false), let size = try? open.size,
            size <= Self.maxBytes, let bytes = try? open.read(at: 0, count: size)
        else { return nil }
        self.init(bytes)
    }
}

/// The sidecars of the files in one folder.
package struct FolderSidecars: Sendable {
    /// The folder's path, with a slash at its end if it is not empty.
    package let path: String
    /// The names of the sidecars of each file.
    private var names: TextMap<[String]> = [:]
    /// The names of all sidecars that belong to a file.
    private var all: TextSet = []

    /// Reads the names in a folder; it has no sidecars if it cannot be read.
    package init(in path: String) {
        self.path = path
        let files = (try? Folder(path.isEmpty ? "." : path).names()) ?? []
        let sidecars = files.filter(SidecarName.isPossible)
        guard !sidecars.isEmpty else { return }
        let owners = SidecarOwners(TextSet(files.lazy.filter { !SidecarName.isPossible($0) }))
        for sidecar in sidecars {
            for owner in owners.owners(of: sidecar) {
                names[owner, default: []].append(sidecar)
                all.insert(sidecar)
            }
        }
    }

    /// Whether a file is the sidecar of another one.
    package func contains(_ name: String) -> Bool { all.contains(name) }

    /// Reads the sidecars of a file: those in XMP first, which people edit, and then those of Takeout.
    package func sidecars(of name: String) -> [PhotoSidecar] {
        let sorted =
            (names[name] ?? []).filter { $0.hasSuffix(".xmp") } + (names[name] ?? []).filter { !$0.hasSuffix(".xmp") }
        let found = sorted.compactMap { PhotoSidecar(fileAt: path + $0) }
        return found.filter(\.datesCapture) + found.filter { !$0.datesCapture }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceModel

/// The names of sidecars, and those of the files that they may belong to.
enum SidecarName {
    /// The extension before `.json` in Google Takeout, which cuts it to keep names short.
    private static let takeout = "supplemental-metadata"

    /// Whether the file may be a sidecar.
    static func isPossible(_ path: String) -> Bool { path.hasSuffix(".json") || path.hasSuffix(".xmp") }

    /// The path without its extension.
    static func stem(of path: String) -> String { split(path).stem }

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
        return file === name ? [name] : [name, file]
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
struct SidecarOwners {
    /// The end of the names of copies that Google Photos edited, which have no sidecar, in English and in French.
    private static let edited = ["-edited", "-modifi\u{E9}"]
    /// The length at which Takeout cuts the names of sidecars, without their extension.
    private static let cutLength = 46
    private static let maxComparisons = 1000

    private let all: TextSet
    private let stems: [ExactText: [String]]
    private let sorted: [String]

    init(_ paths: TextSet) {
        all = paths
        sorted = paths.sorted()
        stems = Dictionary(grouping: sorted) { ExactText(SidecarName.stem(of: $0)) }
    }

    /// Returns the paths of the files that the sidecar belongs to; none if its name tells no file.
    func owners(of sidecar: String) -> [String] {
        let names = SidecarName.files(of: sidecar)
        var owners = names.filter(all.contains)
        if owners.isEmpty { owners = names.flatMap { stems[ExactText($0)] ?? [] } }
        if owners.isEmpty { owners = cut(sidecar, names).map { [$0] } ?? [] }
        var seen: TextSet = []
        return (owners + names.flatMap(editedCopies)).filter { seen.insert($0) }
    }

    private func editedCopies(of name: String) -> [String] {
        let (stem, ending) = SidecarName.split(name)
        return Self.edited.flatMap { word in
            let path = stem + word + (ending.map { ".\($0)" } ?? "")
            return (all.contains(path) ? [path] : []) + (stems[ExactText(name + word)] ?? [])
        }
    }

    /// The only file whose name begins like that of a sidecar that was cut, and has the same number.
    private func cut(_ sidecar: String, _ names: [String]) -> String? {
        let (rest, number) = SidecarName.numbered(SidecarName.stem(of: sidecar))
        guard rest.utf8.reversed().prefix(while: { $0 != UInt8(ascii: "/") }).count >= Self.cutLength else {
            return nil
        }
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
    init?(fileAt path: String) {
        guard let open = try? OpenFile.reading(path, followsLink: false), let size = try? open.size,
            size <= Self.maxBytes, let bytes = try? open.read(at: 0, count: size)
        else { return nil }
        self.init(bytes)
    }
}

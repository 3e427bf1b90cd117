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
        var (rest, number) = (name, "")
        if name.hasSuffix(")"), let open = name.lastIndex(of: "("),
            name[open...].dropFirst().dropLast().allSatisfy(\.isNumber)
        {
            (rest, number) = (String(name[..<open]), String(name[open...]))
        }
        let parts = split(rest)
        if parts.ending.map({ takeout.hasPrefix($0) }) == true { rest = parts.stem }
        let numbered = split(rest)
        let file = number.isEmpty ? rest : numbered.stem + number + (numbered.ending.map { ".\($0)" } ?? "")
        return file === name ? [name] : [name, file]
    }

    /// Splits a path before the last dot of its name.
    private static func split(_ path: String) -> (stem: String, ending: String?) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].lastIndex(of: "."), dot > start else { return (path, nil) }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
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

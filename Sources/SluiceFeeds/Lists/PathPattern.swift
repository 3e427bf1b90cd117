// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// A path with wildcards, as shells expand it: `data/*.parquet`, `train-0[0-4].csv`.
///
/// `*`, `?` and `[…]` match within one component of the path. Hidden names need a dot in the pattern.
struct PathPattern {
    private let isAbsolute: Bool
    private let components: [[UInt8]]

    /// Reads a pattern; `nil` for a text without wildcards, for an address, and for the name of an existing file.
    init?(_ text: String) {
        guard Self.hasWildcards(text.utf8), !text.contains("://") else { return nil }
        guard !InputFile.exists(text), (try? Folder(text)) == nil else { return nil }
        isAbsolute = text.hasPrefix("/")
        components = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    /// Reads a pattern for names in a bucket or a data set; `nil` for a text without wildcards.
    init?(ofNames text: String) {
        guard Self.hasWildcards(text.utf8) else { return nil }
        isAbsolute = false
        components = text.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    private static func hasWildcards(_ text: some Sequence<UInt8>) -> Bool {
        text.contains { "*?[".utf8.contains($0) }
    }

    /// The folder below which all names are that match; empty for all names.
    var folder: String {
        components.dropLast().prefix { !Self.hasWildcards($0) }.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: "/")
    }

    /// Whether names below folders of ``folder`` may match.
    var isDeep: Bool { components.dropLast().contains(where: Self.hasWildcards) }

    /// Whether a name with folders matches.
    func matches(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        return parts.count == components.count && zip(parts, components).allSatisfy(Self.matchesVisibly)
    }

    /// Whether a name matches a component, which needs a dot for a hidden name.
    private static func matchesVisibly(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        let dot = UInt8(ascii: ".")
        return (pattern.first == dot || name.first != dot) && matches(name, pattern)
    }

    /// The paths of the files that match, sorted by name.
    func files() -> [String] {
        var folders = [isAbsolute ? "/" : ""]
        for component in components.dropLast() {
            folders = folders.flatMap { names(in: $0, matching: component) }.map { "\($0)/" }
        }
        guard let last = components.last else { return [] }
        return folders.flatMap { names(in: $0, matching: last) }.filter(InputFile.exists)
    }

    private func names(in folder: String, matching component: [UInt8]) -> [String] {
        guard Self.hasWildcards(component) else {
            return ["\(folder)\(String(decoding: component, as: UTF8.self))"]
        }
        let names = (try? Folder(folder.isEmpty ? "." : folder).names()) ?? []
        return names.filter { Self.matchesVisibly(Array($0.utf8), component) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { folder + $0 }
    }

    /// Whether a name matches; the time is at most proportional to the product of both lengths.
    static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        var (at, position) = (0, 0)
        var star: (pattern: Int, name: Int)?
        while at < name.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                star = (position, at)
                position += 1
            } else if position < pattern.count, let end = match(of: name[at], pattern, position) {
                (at, position) = (at + 1, end)
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                (position, at) = (last.pattern + 1, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Returns the position after the part of the pattern that matches a byte; `nil` if it does not match.
    private static func match(of byte: UInt8, _ pattern: [UInt8], _ position: Int) -> Int? {
        switch pattern[position] {
        case UInt8(ascii: "?"): return position + 1
        case UInt8(ascii: "["):
            guard let end = pattern[(position + 1)...].dropFirst().firstIndex(of: UInt8(ascii: "]")) else { break }
            var set = pattern[(position + 1)..<end]
            let isNegated = set.first.map { "!^".utf8.contains($0) } ?? false
            if isNegated { set = set.dropFirst() }
            return contains(set, byte) != isNegated ? end + 1 : nil
        default: break
        }
        return pattern[position] == byte ? position + 1 : nil
    }

    /// Whether a set of bytes and ranges contains a byte.
    private static func contains(_ set: ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
        var rest = set
        while let first = rest.popFirst() {
            if rest.count >= 2, rest.first == UInt8(ascii: "-") {
                rest = rest.dropFirst()
                if let last = rest.popFirst(), first <= byte, byte <= last { return true }
            } else if first == byte {
                return true
            }
        }
        return false
    }
}

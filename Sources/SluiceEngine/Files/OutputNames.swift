// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Assigns unique names to the outputs of input files: the relative path without the extension.
///
/// If two inputs would have the same name, the later one gets a short hash of its path as a suffix. Names therefore
/// depend only on the contents of the folders, never on timing. Names that differ only in case count as equal.
struct OutputNames: Sendable {
    /// The maximum length of the last component in bytes.
    ///
    /// It leaves room for a hash and an extension.
    private static let maximumLength = 200

    /// About 16 bytes per file.
    ///
    /// Nothing else here grows with the run.
    private var taken: Set<Fingerprint> = []

    /// Returns a unique name for an input, from its relative path and, if necessary, its whole path.
    package mutating func name(for relative: String, at path: String) -> String {
        let (base, isCut) = Self.withoutExtension(relative)
        var candidates = isCut ? [] : [base]
        candidates += ["\(base)-\(Fingerprint(relative).short)", "\(base)-\(Fingerprint(path).text)"]
        for name in candidates where taken.insert(Fingerprint(name.lowercased())).inserted { return name }
        // Paths are unique, so only a deliberately chosen file name gets here.
        var count = 2
        while !taken.insert(Fingerprint("\(candidates[0])-\(count)".lowercased())).inserted { count += 1 }
        return "\(candidates[0])-\(count)"
    }

    /// Returns the path without its extension, and whether its last component had to be cut.
    static func withoutExtension(_ path: String) -> (name: String, isCut: Bool) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let folder = path[..<start]
        var stem = path[start...]
        if let dot = stem.utf8.lastIndex(of: UInt8(ascii: ".")), dot > start, isExtension(stem[dot...].utf8.dropFirst())
        {
            stem = stem[..<dot]
        }
        guard stem.utf8.count > maximumLength else { return (String(folder + stem), false) }
        var short = ""
        for character in stem {
            guard short.utf8.count + String(character).utf8.count <= maximumLength else { break }
            short.append(character)
        }
        return (folder + short, true)
    }

    private static func isExtension(_ bytes: Substring.UTF8View.SubSequence) -> Bool {
        (1...5).contains(bytes.count)
            && bytes.allSatisfy { byte in
                let letter = byte | 0x20
                return (0x30...0x39).contains(byte) || (0x61...0x7A).contains(letter)
            }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Gives each input the name that its thumbnails have under every size: its relative path without the extension.
///
/// Where two would have one name, the later gets a short hash of its path behind it; so a name depends on what lies in the
/// folders, and never on how fast anything was. Names that differ in case alone count as one: on some disks they are.
struct OutputNames: Sendable {
    /// The longest last part, in bytes: with a hash and an extension it stays below every file system's limit.
    private static let longest = 200

    /// The one thing that grows with the run: 16 bytes or so for a file.
    private var taken: Set<Fingerprint> = []

    /// The name for an input, by its path below what was named, and by its whole path where that is not enough.
    mutating func name(for relative: String, at path: String) -> String {
        let (plain, isCut) = Self.withoutExtension(relative)
        var candidates = isCut ? [] : [plain]
        candidates += ["\(plain)-\(Fingerprint(relative).short)", "\(plain)-\(Fingerprint(path).text)"]
        for name in candidates where taken.insert(Fingerprint(name.lowercased())).inserted { return name }
        // The same path cannot be named twice, so that only a file made to do harm comes here.
        var count = 2
        while !taken.insert(Fingerprint("\(candidates[0])-\(count)".lowercased())).inserted { count += 1 }
        return "\(candidates[0])-\(count)"
    }

    /// The path without what looks like an extension, and whether its last part had to be cut.
    static func withoutExtension(_ path: String) -> (name: String, isCut: Bool) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let folder = path[..<start]
        var stem = path[start...]
        if let dot = stem.utf8.lastIndex(of: UInt8(ascii: ".")), dot > start, isExtension(stem[dot...].utf8.dropFirst())
        {
            stem = stem[..<dot]
        }
        guard stem.utf8.count > longest else { return (String(folder + stem), false) }
        var short = ""
        for character in stem {
            guard short.utf8.count + String(character).utf8.count <= longest else { break }
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

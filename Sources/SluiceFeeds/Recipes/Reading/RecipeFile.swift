// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// A recipe of the user's own, in a file.
enum RecipeFile {
    /// No recipe is longer.
    private static let limit = 1 << 20

    /// The file's bytes, or standard input's for `-`; `nil` where there is no such file.
    static func read(_ path: String) throws(SourceError) -> [UInt8]? {
        do throws(FileError) {
            if path == "-" { return try standardInput() }
            let file = try OpenFile.reading(path, followsLink: true)
            guard try file.size <= limit else { return nil }
            return try file.read(at: 0, count: limit)
        } catch {
            if error.isMissing { return nil }
            throw SourceError("\(path) cannot be read: \(error.reason)")
        }
    }

    private static func standardInput() throws(FileError) -> [UInt8] {
        var input = try InputFile("-")
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let more = try input.read(limit)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Whether the text means to be a recipe, right or wrong: lists are JSON too.
    static func isRecipe(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 > 0x20 } == UInt8(ascii: "{") && bytes.firstRange(of: Array("\"recipe\"".utf8)) != nil
    }

    /// Reads a recipe; throws its first trouble, and how many there are.
    static func recipe(_ bytes: [UInt8], path: String) throws(SourceError) -> Recipe {
        do throws(RecipeProblems) {
            return try Recipe(bytes)
        } catch {
            guard let first = error.all.first else { throw SourceError("\(path) is no recipe") }
            let more = error.all.count > 1 ? " (and \(error.all.count - 1) more: sluice feeds check \(path))" : ""
            let member = first.member.isEmpty ? "" : "\(first.member): "
            throw SourceError("\(path):\(first.line):\(first.column): \(member)\(first.problem)\(more)")
        }
    }
}

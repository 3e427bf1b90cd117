// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

enum RecipeFile {
    /// The maximum size of a recipe in bytes.
    private static let limit = 1 << 20

    /// Reads a file, or standard input for `-`; returns `nil` if there is no such file or it is too large.
    static func read(_ path: String) throws(SourceError) -> [UInt8]? {
        do throws(FileError) {
            if path == "-" { return try standardInput() }
            let file = try OpenFile.reading(path, followsLink: true)
            guard try file.size <= limit else { return nil }
            return try file.read(at: 0, count: limit)
        } catch {
            if error.isMissing { return nil }
            throw SourceError("cannot read recipe '\(path)': \(error.reason)")
        }
    }

    private static func standardInput() throws(FileError) -> [UInt8] {
        var input = try InputFile("-")
        return try input.readRest(limit: limit)
    }

    /// Whether the text looks like a recipe, valid or not, as opposed to a list in JSON.
    static func isRecipe(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 > 0x20 } == UInt8(ascii: "{") && bytes.firstRange(of: Array("\"recipe\"".utf8)) != nil
    }

    /// Refuses a recipe in a mirror's folder.
    ///
    /// The mirror may come from someone else, and its recorded command may name the recipe.
    static func refuseInMirror(_ path: String) throws(SourceError) {
        guard path != "-" else { return }
        let mirror: String?
        do throws(FileError) { mirror = try Folder.mirror(containing: path) } catch {
            throw SourceError("cannot read recipe '\(path)': \(error.reason)")
        }
        guard let mirror else { return }
        throw SourceError(
            "cannot use recipe '\(path)': it is inside the mirror '\(mirror)'; move it to another folder if you trust it"
        )
    }

    /// Parses a recipe; the error has the first problem and the number of others.
    static func recipe(_ bytes: [UInt8], path: String) throws(SourceError) -> Recipe {
        do throws(InvalidRecipe) {
            return try Recipe(bytes)
        } catch {
            let count = error.diagnostics.count
            guard let first = error.diagnostics.first else { throw SourceError("\(path): not a recipe") }
            let more = count > 1 ? " (and \(count - 1) more; run `sluice feeds check \(path)`)" : ""
            let member = first.member.isEmpty ? "" : "\(first.member): "
            throw SourceError("\(path):\(first.line):\(first.column): \(member)\(first.problem)\(more)")
        }
    }
}

/// Reads a recipe's member `politeness`.
struct RecipePoliteness: Sendable {
    static let members = ["perHost", "interval", "intervals", "bandwidth", "robots", "cap", "contact"]

    var politeness = Politeness()
    private var interval: Duration?

    init() {}

    init(_ node: RecipeNode) {
        node.checkMembers(Self.members)
        politeness.perHost = node.integer("perHost")
        politeness.bandwidth = node.integer("bandwidth")
        politeness.cap = node.integer("cap")
        politeness.respectsRobotsTxt = node.flag("robots")
        politeness.needsContact = node.flag("contact")
        interval = node.seconds("interval")
        guard let intervals = node["intervals"] else { return }
        for (host, child) in intervals.children {
            if let seconds = child.seconds { politeness.intervals[host.lowercased()] = seconds }
        }
    }

    /// Returns the politeness with the interval assigned to the host of `base`.
    func resolved(base: String, terms: String?) -> Politeness {
        var politeness = politeness
        politeness.terms = terms
        if let interval, let host = WebAddress(base)?.host { politeness.intervals[host] = interval }
        return politeness
    }
}

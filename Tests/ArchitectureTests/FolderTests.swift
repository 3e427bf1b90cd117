// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Checks that the folders inside each module depend on each other in one direction only.
///
/// A folder depends on another if one of its files mentions a type that the other declares. The folders are those
/// directly below the module's folder. Files that lie directly in the module's folder belong to no folder: they hold
/// the types that all folders share, so everything may mention them. In a module whose folders are features, they
/// mention no feature. Extensions declare nothing. Names that several folders declare are not counted.
///
/// Set `SLUICE_PRINT_HOUSE=1` to print all arrows.
@Suite("Folders", .timeLimit(.minutes(10))) struct FolderTests {
    /// The modules whose folders are features, which do not depend on each other at all.
    static let featureModules: Set<String> = ["Sluice", "SluiceDatasets"]

    @Test("Folders depend on each other in one direction only", arguments: ArchitectureTests.arrows.keys.sorted())
    func cycles(module: String) throws {
        let graph = FolderGraph(try Self.files(of: module))
        if ProcessInfo.processInfo.environment["SLUICE_PRINT_HOUSE"] == "1" { print(graph.description(of: module)) }
        for arrow in graph.arrows.keys.sorted() where !arrow.from.isEmpty || Self.featureModules.contains(module) {
            guard let mention = graph.arrows[arrow]?.first else { continue }
            if Self.featureModules.contains(module) {
                Issue.record("\(module)/\(mention): the arrow \(arrow) leads to a feature")
            } else if let path = graph.path(from: arrow.to, to: arrow.from) {
                let way = path.joined(separator: " -> ")
                Issue.record("\(module)/\(mention): the arrow \(arrow) closes a cycle, because of \(way)")
            }
        }
    }

    @Test("A cycle is found with its file, type and arrow")
    func cycleDetection() {
        let graph = FolderGraph([
            ("Reading/Page.swift", "struct Page { let line: Line? }"),
            ("Text/Line.swift", "struct Line {}\nextension Line {\n    var ink: Ink { Ink() }\n}"),
            ("Ink/Ink.swift", "struct Ink { static let page: [Page] = [] }"),
            ("Root.swift", "struct Root { let page: Page }"),
        ])
        #expect(graph.arrows.count == 4)
        #expect(graph.arrows[.init(from: "", to: "Reading")]?.first?.description == "Root.swift:1 mentions Page")
        #expect(graph.arrows[.init(from: "Text", to: "Ink")]?.first?.description == "Text/Line.swift:3 mentions Ink")
        #expect(graph.path(from: "Ink", to: "Text") == ["Ink", "Reading", "Text"])
    }

    @Test(
        "Only code mentions types",
        arguments: [
            ("let a: Line", true), ("let a = [Line]()", true), (#"let a = "\(Line.end) b""#, true),
            (#"let a = "\(b("c)")) d"; let e: Line"#, true), ("// Line", false), ("/* a\n/* b */ Line */", false),
            (#"let a = "Line""#, false), (#"let a = "b\"Line""#, false), (##"let a = #"b"Line"#"##, false),
            ("let a = \"\"\"\n    \"b\" Line\n    \"\"\"", false), ("let a: Other.Line", false),
            ("let a: Lines", false),
            ("enum Other { struct Line {} }\nlet a: Line", false), ("private struct Line {}", false),
        ])
    func mentions(code: String, isMention: Bool) {
        let graph = FolderGraph([("A/A.swift", code), ("B/Line.swift", "struct Line {}")])
        #expect(graph.arrows.isEmpty == !isMention)
    }

    /// The Swift files of a module, by their paths below the module's folder.
    private static func files(of module: String) throws -> [(path: String, text: String)] {
        let folder = ArchitectureTests.sources.appending(path: module)
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
    }
}

/// The folders of a module, and which mentions which other's types.
private struct FolderGraph {
    struct Arrow: Hashable, Comparable, CustomStringConvertible {
        let from: String
        let to: String

        var description: String { "\(from.isEmpty ? "root" : from) -> \(to)" }

        static func < (left: Arrow, right: Arrow) -> Bool { (left.from, left.to) < (right.from, right.to) }
    }

    struct Mention: CustomStringConvertible {
        let file: String
        let line: Int
        let type: String

        var description: String { "\(file):\(line) mentions \(type)" }
    }

    private(set) var arrows: [Arrow: [Mention]] = [:]

    init(_ files: [(path: String, text: String)]) {
        let scans = files.map { (path: $0.path, scan: CodeScan($0.text)) }
        var owners: [String: Set<String>] = [:]
        for (path, scan) in scans {
            for type in scan.declared { owners[type, default: []].insert(Self.folder(of: path)) }
        }
        for (path, scan) in scans {
            let folder = Self.folder(of: path)
            for (type, line) in scan.mentioned.sorted(by: { $0.value < $1.value }) where !scan.local.contains(type) {
                guard let owner = owners[type], owner.count == 1, let other = owner.first, other != folder,
                    !other.isEmpty
                else { continue }
                arrows[Arrow(from: folder, to: other), default: []].append(Mention(file: path, line: line, type: type))
            }
        }
    }

    /// The folder directly below the module's folder; empty for a file directly in it.
    private static func folder(of path: String) -> String {
        let parts = path.split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : ""
    }

    /// The shortest path along the arrows, with both ends, or `nil`.
    func path(from start: String, to end: String) -> [String]? {
        var paths = [[start]]
        var seen: Set<String> = [start]
        while !paths.isEmpty {
            let path = paths.removeFirst()
            if path.last == end { return path }
            for arrow in arrows.keys.sorted() where arrow.from == path.last && seen.insert(arrow.to).inserted {
                paths.append(path + [arrow.to])
            }
        }
        return nil
    }

    /// All arrows with the types that make them.
    func description(of module: String) -> String {
        let lines = arrows.sorted { $0.key < $1.key }.map { arrow, mentions in
            "  \(arrow): " + Set(mentions.map(\.type)).sorted().joined(separator: ", ")
        }
        return ([module] + lines).joined(separator: "\n")
    }
}

/// The types that a Swift file declares and mentions, outside comments and strings.
private struct CodeScan {
    /// The types that are declared at the top level and visible in other files.
    private(set) var declared: Set<String> = []
    /// All declared types, with nested and private ones.
    private(set) var local: Set<String> = []
    /// The mentioned names that begin with a capital letter, with the number of the first line.
    private(set) var mentioned: [String: Int] = [:]

    private static let keywords: Set<String> = [
        "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype",
    ]

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var braces = 0
    /// The last word, and whether `private` or `fileprivate` came before it on its line.
    private var lastWord = ""
    private var isPrivate = false

    init(_ text: String) {
        bytes = Array(text.utf8)
        while position < bytes.count { scanCode() }
    }

    private func byte(_ offset: Int = 0) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private mutating func advance() {
        if byte() == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// Scans code up to its end, or up to the parenthesis that closes an interpolation.
    private mutating func scanCode() {
        var parentheses = 0
        while position < bytes.count {
            switch byte() {
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"):
                parentheses -= 1
                if parentheses < 0 { return advance() }
            case UInt8(ascii: "{"): braces += 1
            case UInt8(ascii: "}"): braces -= 1
            case UInt8(ascii: "\n"): isPrivate = false
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
                while position < bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
                continue
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
                skipComment()
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                if scanString() { continue }
            case let first where Self.isLetter(first):
                scanWord()
                continue
            default: break
            }
            advance()
        }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            let (first, second) = (byte(), byte(1))
            if first == UInt8(ascii: "/"), second == UInt8(ascii: "*") {
                (depth, position) = (depth + 1, position + 2)
            } else if first == UInt8(ascii: "*"), second == UInt8(ascii: "/") {
                (depth, position) = (depth - 1, position + 2)
            } else {
                advance()
            }
        } while depth > 0 && position < bytes.count
    }

    /// Scans a string with its interpolations.
    ///
    /// Returns `false` at any other character.
    private mutating func scanString() -> Bool {
        var hashes = 0
        while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
        guard byte(hashes) == UInt8(ascii: "\"") else { return false }
        position += hashes
        let quotes = isQuoted(3) ? 3 : 1
        position += quotes
        while position < bytes.count {
            if isQuoted(quotes), isHashed(hashes, after: quotes) {
                position += quotes + hashes
                return true
            }
            if byte() == UInt8(ascii: "\\"), isHashed(hashes, after: 1) {
                position += hashes + 1
                let isInterpolation = byte() == UInt8(ascii: "(")
                advance()
                if isInterpolation { scanCode() }
            } else {
                advance()
            }
        }
        return true
    }

    private func isQuoted(_ count: Int) -> Bool { (0..<count).allSatisfy { byte($0) == UInt8(ascii: "\"") } }

    private func isHashed(_ count: Int, after offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    private mutating func scanWord() {
        let start = position
        while Self.isLetter(byte()) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte()) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        defer { lastWord = word }
        if word == "private" || word == "fileprivate" { isPrivate = true }
        guard word.utf8.first.map({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) == true else { return }
        if Self.keywords.contains(lastWord) {
            local.insert(word)
            if braces == 0, !isPrivate { declared.insert(word) }
        } else if start == 0 || bytes[start - 1] != UInt8(ascii: ".") {
            // A name after a dot is a member.
            mentioned[word] = min(mentioned[word] ?? .max, line)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}

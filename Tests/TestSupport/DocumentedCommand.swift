// SPDX-License-Identifier: MIT

public import Foundation

/// A line of shell in the documentation that calls `sluice`.
public struct DocumentedCommand: Sendable, Hashable, CustomStringConvertible {
    /// The page's path in the repository, and the number of the line.
    public let place: String
    /// The line without its comment.
    public let line: String
    /// Whether the line is a block of code and not a part of a sentence.
    public let isBlock: Bool
    /// The arguments of each call of `sluice` in the line.
    public let calls: [[String]]

    /// The place and the line.
    public var description: String { "\(place): \(line)" }

    /// The repository's folder.
    public static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    /// The pages for users and contributors, relative to ``repository``.
    public static func pages() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: repository.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            name.hasSuffix(".md")
                && (!name.contains("/") || ["Documentation/", "Benchmarks/"].contains(where: name.hasPrefix))
                && !name.hasPrefix("CHANGELOG")
        }.sorted()
    }

    /// The commands of all pages.
    public static func all() throws -> [DocumentedCommand] {
        try pages().flatMap { page in
            all(in: try String(contentsOf: repository.appending(path: page), encoding: .utf8), named: page)
        }
    }

    /// The commands of a page, in code and in backticks.
    public static func all(in text: String, named page: String) -> [DocumentedCommand] {
        var commands: [DocumentedCommand] = []
        var fence: Substring?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let place = "\(page):\(index + 1)"
            if line.hasPrefix("```") {
                fence = fence == nil ? line.dropFirst(3) : nil
            } else if fence.map({ ["", "sh"].contains($0) }) ?? line.hasPrefix("    ") {
                commands += [DocumentedCommand(String(line), isBlock: true, place)].compactMap { $0 }
            } else if fence == nil {
                let spans = line.split(separator: "`", omittingEmptySubsequences: false)
                for (number, span) in spans.enumerated() where number % 2 == 1 && span.hasPrefix("sluice ") {
                    commands += [DocumentedCommand(String(span), isBlock: false, place)].compactMap { $0 }
                }
            }
        }
        return commands
    }

    private init?(_ text: String, isBlock: Bool, _ place: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        let line = ShellLine(text.hasPrefix("$ ") ? String(text.dropFirst(2)) : text)
        calls = line.commands.compactMap { words in
            // Another program may run the command, e.g. `parallel sluice work plan`.
            words.firstIndex(of: "sluice").map { Array(words[($0 + 1)...]) }
        }
        guard !calls.isEmpty else { return nil }
        self.place = place
        self.isBlock = isBlock
        self.line = line.text
    }
}

/// A line of shell, split into commands and their words.
struct ShellLine {
    /// The line without its comment.
    private(set) var text = ""
    /// The words of each command, without quotes and redirections.
    private(set) var commands: [[String]] = [[]]

    private var word: String?
    private var quote: Character?
    private var isTarget = false

    init(_ line: String) {
        var characters = line[...]
        while let character = characters.popFirst() {
            if quote == nil, word == nil, character == "#" { break }
            text.append(character)
            add(character, &characters)
        }
        endWord()
        text = text.trimmingCharacters(in: .whitespaces)
        commands.removeAll { $0.isEmpty }
    }

    private mutating func add(_ character: Character, _ rest: inout Substring) {
        switch (quote, character) {
        case (character, _): quote = nil
        case (.some, _): word?.append(character)
        case (nil, "'"), (nil, "\""): (quote, word) = (character, word ?? "")
        case (nil, "\\"):
            guard let next = rest.popFirst() else { return }
            text.append(next)
            word = (word ?? "") + String(next)
        case (nil, " "): endWord()
        case (nil, "|"), (nil, ";"), (nil, "&"):
            endWord()
            commands.append([])
        case (nil, ">"), (nil, "<"):
            endWord()
            isTarget = true
        default: word = (word ?? "") + String(character)
        }
    }

    private mutating func endWord() {
        guard let word else { return }
        if !isTarget { commands[commands.count - 1].append(word) }
        (self.word, isTarget) = (nil, false)
    }
}

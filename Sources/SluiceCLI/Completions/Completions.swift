// SPDX-License-Identifier: MIT

/// The words and paths that may complete a command line.
///
/// The script of a ``Shell`` runs `sluice __complete` with the words after the program's name. The last word is the one
/// to complete; it may be empty.
struct Completions {
    /// The first argument of such a call; no command has this name.
    static let firstArgument = "__complete"

    /// The words with their descriptions, which may be empty.
    private(set) var words: [(word: String, help: String)] = []
    /// The paths that the shell offers beside the words: `none`, `file`, `folder` with the name that the folders
    /// contain if possible, or `recipe`.
    private(set) var paths = "none"

    init(of line: some BidirectionalCollection<String>) {
        var command: Command?
        var argumentCount = 0
        var value: ValuePlaceholder?
        for word in line.dropLast() {
            if value != nil {
                value = nil
            } else if word.hasPrefix("-") {
                let flag = Self.flag(word, command)
                value = flag?.implied == nil ? flag?.value : nil
            } else if command != nil {
                argumentCount += 1
            } else {
                command = Command.named(word)
                guard command != nil else { return }
            }
        }
        let current = line.last ?? ""
        if let value {
            offer(value.completion, for: current)
        } else if current.hasPrefix("--"), let end = current.firstIndex(of: "=") {
            guard let value = Self.flag(String(current[..<end]), command)?.value else { return }
            offer(value.completion, for: String(current[current.index(after: end)...]))
            words = words.map { (current[...end] + $0.word, $0.help) }
        } else if current.hasPrefix("-") {
            words = Flag.of(command?.name).flatMap(\.completions)
        } else if let positionals = command?.positionals {
            let repeated = positionals.last.flatMap { $0.isRepeated ? $0 : nil }
            let positional = argumentCount < positionals.count ? positionals[argumentCount] : repeated
            if let positional { offer(positional.completion, for: current) }
        } else {
            words = Command.all.map { ($0.name.rawValue, $0.summary) }
        }
    }

    /// The kind of paths, then a line for each word, with a tab before its description.
    var text: String {
        paths + "\n" + words.map { $0.help.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.help)\n" }.joined()
    }

    private static func flag(_ spelling: String, _ command: Command?) -> Flag? {
        Flag.of(command?.name).first { $0.spellings.contains(spelling) }
    }

    private mutating func offer(_ completion: ValuePlaceholder.Completion, for current: String) {
        func names(_ names: [String]) -> [(word: String, help: String)] { names.map { ($0, "") } }
        switch completion {
        case .nothing: break
        case .file: paths = "file"
        case .folder: paths = "folder"
        case .folderWith(let name): paths = "folder \(name)"
        case .words(let list): words = names(list)
        case .source where current.contains(":"): words = names(ValuePlaceholder.Completion.listings)
        case .source: (paths, words) = ("file", names(ValuePlaceholder.Completion.services))
        case .recipe: (paths, words) = ("recipe", names(ValuePlaceholder.Completion.services))
        }
    }
}

extension Flag {
    /// The words that set or reverse the option, with its help.
    fileprivate var completions: [(word: String, help: String)] {
        (short.map { [("-\($0)", shortHelp)] } ?? []) + [("--\(long)", shortHelp)]
            + (undo.map { [("--\($0)", "Reverse --\(long)")] } ?? [])
    }
}

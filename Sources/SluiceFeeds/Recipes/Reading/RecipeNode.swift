// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A value in a recipe and its path.
///
/// Its accessors collect problems instead of throwing, so that all problems of a recipe are reported together.
struct RecipeNode {
    /// The problems of a recipe, shared by all its nodes.
    final class Problems {
        /// The maximum number of problems; the rest are not reported.
        ///
        /// Each one is located by reading the whole recipe.
        static let limit = 100

        private(set) var all: [(path: [String], problem: String)] = []

        func add(_ problem: String, at path: [String]) {
            if all.count < Self.limit { all.append((path, problem)) }
        }
    }

    /// The largest integer, so that page numbers times page sizes do not overflow.
    static let maxInteger = 1_000_000_000
    /// The problem of a path that cannot be parsed.
    static let invalidPath = "invalid path: separate names with dots and put elements in brackets"
    /// The problem of a template that cannot be parsed.
    static let invalidTemplate = "invalid template: put paths between braces"

    let json: JSON
    let path: [String]
    let problems: Problems

    /// Records a problem with this value or with one of its members.
    func report(_ problem: String, at name: String? = nil) {
        problems.add(problem, at: path + (name.map { [$0] } ?? []))
    }

    /// Reports unknown and duplicate members; a misspelt member would otherwise be ignored silently.
    func checkMembers(_ names: [String]) {
        guard case .object(let members) = json else { return report("expected an object") }
        for member in members where !names.contains(member.name) {
            report("unknown member\(didYouMean(closestMatch(to: member.name, in: names)))", at: member.name)
        }
        var seen: TextSet = []
        for member in members where !seen.insert(member.name) {
            report("duplicate member", at: member.name)
        }
    }

    /// The member of that name; `nil` if it is missing or `null`.
    subscript(name: String) -> RecipeNode? {
        guard let json = json[name], json != .null else { return nil }
        return RecipeNode(json: json, path: path + [name], problems: problems)
    }

    /// The members of an object or the elements of an array.
    var children: [(name: String, node: RecipeNode)] {
        switch json {
        case .object(let members):
            members.map { ($0.name, RecipeNode(json: $0.value, path: path + [$0.name], problems: problems)) }
        case .array(let elements):
            elements.enumerated().map { index, json in
                ("[\(index)]", RecipeNode(json: json, path: path + ["[\(index)]"], problems: problems))
            }
        default: []
        }
    }

    /// This value as a non-empty text.
    var text: String? {
        if let text = json.text { return text }
        report("expected a non-empty text")
        return nil
    }

    /// Returns a member as a text.
    func text(_ name: String) -> String? { self[name]?.text }

    /// Returns a required member as a text.
    func required(_ name: String) -> String {
        guard let node = self[name] else {
            report("missing", at: name)
            return ""
        }
        return node.text ?? ""
    }

    /// Returns a member as an integer from `minimum` to ``maxInteger``.
    func integer(_ name: String, atLeast minimum: Int = 1) -> Int? {
        guard let node = self[name] else { return nil }
        if case .number = node.json, let number = node.json.anyInteger, number >= minimum {
            if number <= Self.maxInteger { return number }
            node.report("expected a whole number of at most \(Self.maxInteger)")
        } else {
            node.report("expected a whole number of at least \(minimum)")
        }
        return nil
    }

    /// Returns a member as a number of seconds.
    func seconds(_ name: String) -> Duration? { self[name]?.seconds }

    /// This value as a number of seconds.
    var seconds: Duration? {
        if case .number(let text) = json, let seconds = Double(text), (0...86400).contains(seconds) {
            return .seconds(seconds)
        }
        report("expected a number of seconds")
        return nil
    }

    /// Returns a member as a Boolean; false if it is missing.
    func flag(_ name: String) -> Bool {
        guard let node = self[name] else { return false }
        if case .bool(let flag) = node.json { return flag }
        node.report("expected true or false")
        return false
    }

    /// Returns a member as an object of texts, in order.
    func texts(_ name: String) -> [(name: String, value: String)] {
        guard let node = self[name] else { return [] }
        guard case .object = node.json else {
            node.report("expected an object of texts")
            return []
        }
        return node.children.compactMap { name, child in child.text.map { (name, $0) } }
    }

    /// Returns a member as a value of an enumeration.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Choice.Type) -> Choice? {
        guard let node = self[name], let text = node.text else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = type.allCases.map(\.rawValue)
        node.report("expected one of \(words.joined(separator: ", "))\(didYouMean(closestMatch(to: text, in: words)))")
        return nil
    }
}

/// The error for an invalid recipe, with all its problems.
struct InvalidRecipe: Error, Sendable, Hashable {
    /// The problems, in the order of the text.
    var diagnostics: [RecipeDiagnostic]

    init(diagnostics: [RecipeDiagnostic]) { self.diagnostics = diagnostics }

    /// Locates each problem in the text.
    init(_ problems: [(path: [String], problem: String)], in text: [UInt8]) {
        let found = problems.map { path, problem in
            let position = JSON.location(of: path, in: text)
            return RecipeDiagnostic(
                line: position.line, column: position.column, member: path.joined(separator: "."), problem: problem)
        }
        diagnostics = found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}

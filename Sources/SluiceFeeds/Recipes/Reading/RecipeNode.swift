// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A place in a recipe's text and the value there; what is wrong with it is noted, and reading goes on.
struct RecipeNode {
    /// Takes the notes: one for all nodes of a recipe.
    final class Notes {
        var problems: [(path: [String], problem: String)] = []
    }

    let json: JSON
    let path: [String]
    let notes: Notes

    /// Notes what is wrong here, or with a member.
    func note(_ problem: String, at name: String? = nil) {
        notes.problems.append((path + (name.map { [$0] } ?? []), problem))
    }

    /// Notes members that nobody reads: a misspelt one would be a fact that is silently not there.
    func allow(_ names: [String]) {
        guard case .object(let members) = json else { return note("takes an object") }
        for member in members where !names.contains(member.name) {
            note("is no member of it\(hint(nearest(member.name, names)))", at: member.name)
        }
        for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.name == member.name })
        {
            note("stands there twice", at: member.name)
        }
    }

    /// The member of that name; `nil` where there is none, or `null`.
    subscript(name: String) -> RecipeNode? {
        guard let json = json[name], json != .null else { return nil }
        return RecipeNode(json: json, path: path + [name], notes: notes)
    }

    /// Every member of an object, every element of an array.
    var children: [(name: String, node: RecipeNode)] {
        switch json {
        case .object(let members):
            members.map { ($0.name, RecipeNode(json: $0.value, path: path + [$0.name], notes: notes)) }
        case .array(let elements):
            elements.enumerated().map { index, json in
                ("[\(index)]", RecipeNode(json: json, path: path + ["[\(index)]"], notes: notes))
            }
        default: []
        }
    }

    /// This value as a text.
    var text: String? {
        if let text = json.text { return text }
        note("takes a text that is not empty")
        return nil
    }

    /// A member that is a text.
    func text(_ name: String) -> String? { self[name]?.text }

    /// A member that must be there.
    func required(_ name: String) -> String {
        guard let node = self[name] else {
            note("is missing", at: name)
            return ""
        }
        return node.text ?? ""
    }

    /// A member that is a whole number from `least` on.
    func integer(_ name: String, from least: Int = 1) -> Int? {
        guard let node = self[name] else { return nil }
        if case .number = node.json, let number = node.json.integer, number >= least { return number }
        node.note("takes a whole number from \(least) on")
        return nil
    }

    /// A member that is a number of seconds.
    func seconds(_ name: String) -> Duration? { self[name]?.seconds }

    /// This value as a number of seconds.
    var seconds: Duration? {
        if case .number(let text) = json, let seconds = Double(text), (0...86400).contains(seconds) {
            return .seconds(seconds)
        }
        note("takes a number of seconds")
        return nil
    }

    /// A member that is true or false; false where there is none.
    func flag(_ name: String) -> Bool {
        guard let node = self[name] else { return false }
        if case .bool(let flag) = node.json { return flag }
        node.note("takes true or false")
        return false
    }

    /// A member that is an object of texts, in its order.
    func texts(_ name: String) -> [(name: String, value: String)] {
        guard let node = self[name] else { return [] }
        guard case .object = node.json else {
            node.note("takes an object of texts")
            return []
        }
        return node.children.compactMap { name, child in child.text.map { (name, $0) } }
    }

    /// A member that is one of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Choice.Type) -> Choice? {
        guard let node = self[name], let text = node.text else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = type.allCases.map(\.rawValue)
        node.note("takes \(words.joined(separator: ", "))\(hint(nearest(text, words)))")
        return nil
    }
}

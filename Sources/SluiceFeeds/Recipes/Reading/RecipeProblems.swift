// SPDX-License-Identifier: MIT

internal import SluiceModel

/// All that is wrong in one recipe, in the order of its text.
struct RecipeProblems: Error, Sendable, Hashable {
    var all: [RecipeProblem]

    init(all: [RecipeProblem]) { self.all = all }

    /// Finds each note's place in the text.
    init(_ notes: [(path: [String], problem: String)], in text: [UInt8]) {
        let found = notes.map { note in
            let place = JSON.place(of: note.path, in: text)
            return RecipeProblem(
                line: place.line, column: place.column, member: note.path.joined(separator: "."), problem: note.problem)
        }
        all = found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}

// SPDX-License-Identifier: MIT

/// A problem in a recipe, with its location.
public struct RecipeDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// The column in bytes, from 1.
    public var column: Int
    /// The path of the member, for example `paging.by`; empty for the whole recipe.
    public var member: String
    /// The description of the problem.
    public var problem: String

    package init(line: Int, column: Int, member: String, problem: String) {
        (self.line, self.column, self.member, self.problem) = (line, column, member, problem)
    }

    /// `line 3, column 7: paging.by: takes page, link, ...`.
    public var description: String {
        "line \(line), column \(column): \(member.isEmpty ? "" : "\(member): ")\(problem)"
    }
}

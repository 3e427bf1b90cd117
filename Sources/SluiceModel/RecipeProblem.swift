// SPDX-License-Identifier: MIT

/// What is wrong in a recipe, and where.
public struct RecipeProblem: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// The column in bytes, from 1.
    public var column: Int
    /// The member, as `paging.by`; empty for the whole.
    public var member: String
    /// What is wrong with it.
    public var problem: String

    /// Makes a problem.
    public init(line: Int, column: Int, member: String, problem: String) {
        self.line = line
        self.column = column
        self.member = member
        self.problem = problem
    }

    /// `line 3, column 7: paging.by: takes page, link, ...`.
    public var description: String {
        "line \(line), column \(column): \(member.isEmpty ? "" : "\(member): ")\(problem)"
    }
}

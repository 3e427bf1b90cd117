// SPDX-License-Identifier: MIT

/// A text that cannot be read: an option's value, a file, or a record of a list.
public struct InvalidText: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?
    /// The problem: `expected a number`.
    public var problem: String

    /// Creates an error, with its place if there is one.
    package init(_ problem: String, line: Int? = nil, column: Int? = nil) {
        (self.line, self.column, self.problem) = (line, column, problem)
    }

    /// `line 3, column 7: expected a value`.
    public var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap { $0 }
        return place.isEmpty ? problem : place.joined(separator: ", ") + ": " + problem
    }

    /// The error in a text whose first line is a later line of a file.
    package func inText(fromLine first: Int) -> Self {
        Self(problem, line: first + (line ?? 1) - 1, column: column)
    }
}

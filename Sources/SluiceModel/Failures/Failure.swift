// SPDX-License-Identifier: MIT

/// The failure of an item or a page: a cause with its evidence.
public struct Failure: Error, Sendable, Hashable, Codable {
    /// The extent of a failure: an item, the run or the mirror.
    public enum Scope: String, Sendable, Hashable, Codable {
        /// One item or page. The run continues with the others.
        case item
        /// The run, for example a full disk. It would affect every other item too, so the run stops.
        case run
        /// The mirror, because its ledger is damaged.
        case ledger
    }

    /// The reason, from the closed list.
    public var cause: Cause
    /// Whether the failure affects one item, the run or the mirror.
    ///
    /// Receipts do not store it.
    public var scope: Scope
    /// The evidence in a few words: `20000 of 30000 bytes`, or a library's error message.
    public var detail: String
    /// The HTTP status, if there was a reply.
    public var status: Int?
    /// The address that answered, if it differs because of redirects.
    public var finalURL: String?
    /// The delay that the host asks for before a retry, if it states one.
    public var retryAfter: Duration?
    /// The number of announced bytes that were not downloaded, because the first bytes were enough to reject the file.
    public var savedBytes: Int?
    /// The name of the picture's format, if that is known but the picture could not be opened.
    ///
    /// The ledger does not store it.
    public var format: String?
    /// How the user may avoid the failure; `nil` for the usual remedy of the cause.
    ///
    /// The ledger does not store it.
    public var hint: Hint?

    /// Creates a failure; credentials of addresses are removed.
    public init(
        _ cause: Cause, _ detail: String, status: Int? = nil, finalURL: String? = nil, scope: Scope = .item,
        hint: Hint? = nil
    ) {
        (self.cause, self.scope, self.hint) = (cause, scope, hint)
        self.detail = Userinfo.removed(fromText: detail)
        self.status = status
        self.finalURL = Userinfo.removed(from: finalURL)
    }
}

extension Failure: CustomStringConvertible {
    /// `truncated: 20000 of 30000 bytes`.
    public var description: String { detail.isEmpty ? cause.name : "\(cause.name): \(detail)" }
}

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

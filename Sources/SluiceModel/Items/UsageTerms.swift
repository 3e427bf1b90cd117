// SPDX-License-Identifier: MIT

/// A host's statements about the use of a photo, as they were when it was downloaded.
///
/// They do not forbid the download; ``reservesTraining`` tells whether one of them forbids the training of models. The
/// text has the statements as the host wrote them, for example `tdm-reservation: 1; robots.txt content-signal:
/// ai-train=no`.
public struct UsageTerms: Sendable, Hashable {
    /// A statement.
    public struct Statement: Sendable, Hashable {
        /// The name of the header or, after `robots.txt`, that of the line, in lower case.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a statement; characters that separate statements are removed from the value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = String(value.unicodeScalars.filter { $0 != ";" && $0.value >= 0x20 }.prefix(Self.longest))
        }

        private static let longest = 300
    }

    private static let most = 20

    /// The statements, in the order of their sources.
    public var statements: [Statement]

    /// Creates terms of statements.
    public init(_ statements: [Statement]) { self.statements = Array(statements.prefix(Self.most)) }

    /// Reads the text of a receipt or a manifest.
    public init(text: String) {
        self.init(
            text.split(separator: ";").compactMap { part in
                let pair = part.split(separator: ":", maxSplits: 1).map(\.trimmed)
                return pair.count == 2 ? Statement(pair[0], pair[1]) : nil
            })
    }

    /// The text for receipts and manifests; `nil` without statements.
    public var text: String? {
        statements.isEmpty ? nil : statements.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    }

    /// Whether the host reserves the use for training models.
    public var reservesTraining: Bool { statements.contains(where: \.reservesTraining) }
}

extension UsageTerms.Statement {
    /// The names of lines of `robots.txt` begin with this.
    package static let robots = "robots.txt "

    fileprivate var reservesTraining: Bool {
        // Rules are separated by commas; one may follow a path or the name of a robot.
        let rules = value.lowercased().split { ", \t:".contains($0) }.map(String.init)
        return switch name {
        case "x-robots-tag": rules.contains { ["noai", "noimageai", "noml"].contains($0) }
        case "tdm-reservation": rules == ["1"]
        case "content-usage", Self.robots + "content-usage":
            rules.contains { ["train-ai=n", "ai=n", "tdm=n", "all=n"].contains($0) }
        case Self.robots + "content-signal": rules.contains("ai-train=no")
        default: false
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

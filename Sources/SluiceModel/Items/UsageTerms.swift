// SPDX-License-Identifier: MIT

/// Statements about the use of a photo, as they were when it was downloaded.
///
/// The file of the photo may have statements, too. They do not forbid the download; ``reservesTraining`` tells whether
/// one of them forbids the training of models. The text has the statements as the host wrote them, for example
/// `tdm-reservation: 1; robots.txt content-signal: ai-train=no`.
package struct UsageTerms: Sendable, Hashable {
    package struct Statement: Sendable, Hashable {
        /// The name of the header, or the name of a file and that of its line or member, in lower case.
        package var name: String
        package var value: String

        /// Creates a statement; characters that separate statements are removed from the value.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = String(value.unicodeScalars.filter { $0 != ";" && $0.value >= 0x20 }.prefix(Self.longest))
        }

        private static let longest = 300
    }

    private static let most = 20

    /// The statements, in the order of their sources.
    package var statements: [Statement]

    package init(_ statements: [Statement]) { self.statements = Array(statements.prefix(Self.most)) }

    /// Reads the text of a receipt or a manifest.
    package init(text: String) {
        self.init(
            text.split(separator: ";").compactMap { part in
                let pair = part.split(separator: ":", maxSplits: 1).map(\.trimmed)
                return pair.count == 2 ? Statement(pair[0], pair[1]) : nil
            })
    }

    /// The text for receipts and manifests; `nil` without statements.
    package var text: String? {
        statements.isEmpty ? nil : statements.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    }

    /// Whether one of the statements reserves the use for training models.
    package var reservesTraining: Bool {
        // A header takes precedence over the host's file, also if it allows more (TDMRep).
        let hasHeader = statements.contains { $0.name == "tdm-reservation" && ["0", "1"].contains($0.value) }
        return statements.contains { $0.reservesTraining && !(hasHeader && $0.isOfReservationFile) }
    }
}

extension UsageTerms.Statement {
    /// The names of lines of `robots.txt` begin with this.
    package static let robots = "robots.txt "
    /// The names of members of `/.well-known/tdmrep.json` begin with this.
    package static let reservationFile = "tdmrep.json "
    /// The name of the rules for robots that a photo's page states.
    package static let page = "page robots"

    fileprivate var isOfReservationFile: Bool { name.hasPrefix(Self.reservationFile) }

    fileprivate var reservesTraining: Bool {
        // Rules are separated by commas; one may follow a path or the name of a robot.
        let rules = value.lowercased().split { ", \t:".contains($0) }.map(String.init)
        return switch name {
        // Other rules of pages are not recorded.
        case Self.page: true
        case "x-robots-tag": rules.contains { ["noai", "noimageai", "noml"].contains($0) }
        case "tdm-reservation", Self.reservationFile + "tdm-reservation": rules == ["1"]
        case "content-usage", Self.robots + "content-usage":
            rules.contains { ["train-ai=n", "ai=n", "tdm=n", "all=n"].contains($0) }
        case Self.robots + "content-signal": rules.contains("ai-train=no")
        case "iptc data-mining": value.hasPrefix("DMI-PROHIBITED")
        case "c2pa.training-mining", "cawg.training-mining":
            // Without the terms of a constraint, it means the same as a refusal.
            rules.contains { rule in
                let use = rule.split(separator: "=")
                return use.count == 2 && ["notallowed", "constrained"].contains(use[1])
                    && ["data_mining", "ai_training", "ai_generative_training"].contains(
                        use[0].split(separator: ".").last)
            }
        default: false
        }
    }
}

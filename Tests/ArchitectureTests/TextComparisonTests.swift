// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Finds comparisons of texts from outside that go by Unicode's equivalence instead of bytes; see `ExactText`.
@Suite("Comparisons of texts", .timeLimit(.minutes(5))) struct TextComparisonTests {
    /// The modules that receive text from outside; the command's own sets are of its words.
    static let modules = OutsideValueTests.modules.filter { $0 != "SluiceCLI" }

    /// The files whose sets and dictionaries may have texts as keys, by the reason.
    static let exceptions: [String: Set<String>] = [
        // Host names are ASCII: a request to any other fails.
        "hosts": [
            "Drift/DriftReport.swift", "Work/HostShares.swift", "Planning/LeftoverPlanning.swift", "Plan/Plan.swift",
            "Plan/PlannedRows.swift", "Plan/ShardPacking.swift", "Events/EventRecorder.swift",
            "Events/HostTally.swift", "Feed/FeedSession.swift",
            "Politeness.swift", "DNS/ResolverState.swift", "HTTP/ExchangeResult.swift", "HTTP/NetrcOrigins.swift",
            "HTTP/TransferSockets.swift", "Pool/HostTracker.swift", "Pool/WorkPool.swift", "Pool/WorkScheduler.swift",
            "Politeness/OriginCache.swift", "TransferOptions.swift",
        ],
        // Names that a format or a recipe defines; each is looked up by a name in the code.
        "names in formats": [
            "Politeness/RateLimit.swift", "Recipes/Photos/FieldRule.swift", "Recipes/Photos/PhotoRules.swift",
            "Recipes/Paging/LinkHeader.swift", "Recipes/Reading/RecipeErrorRules.swift", "IIIF/IIIFManifest.swift",
            "S3/Signing/AWSConfiguration.swift", "Syndication/Reading/EntryMetadata.swift",
            "Syndication/Reading/HTMLImages.swift", "XML/XMLElement.swift", "XML/XMLBuilder.swift", "Text/HTML.swift",
            "Records/ListField.swift",
            "S3/Protocol/ReplyElement.swift", "Text/PlainText.swift", "Pages/Pictures/Decoration.swift",
            "Sidecars/PhotoSidecar.swift",
        ],
        // The user's words, which mean the same in both forms.
        "words of the user": ["Options/RunOptions.swift", "Select/Selection.swift"],
        // Checksums, causes and sizes, which Sluice writes.
        "own words": [
            "Export/DatasetExport.swift", "Export/ShardStatistics.swift", "Lock/LockComparison.swift",
            "Verify/Verification.swift", "Pipeline/Receipt+Steps.swift", "Items/Receipt.swift", "Runs/Summary.swift",
            "Runs/UsageSummary.swift",
        ],
    ]

    /// Types with texts as keys; `OutsideValueTests` requires that types are written.
    private static let keys = [
        "Set<String>", "Set<Substring>", "Set<[String]>", "[String: ", "[Substring: ", "[[String]: ",
        "Dictionary<String",
    ]

    @Test("Sets and dictionaries have exact texts as keys", arguments: modules)
    func keys(module: String) throws {
        let allowed = Self.exceptions.values.joined()
        for file in try ArchitectureTests.files(in: module, suffix: "swift") {
            guard !allowed.contains(where: { file.name.hasSuffix("/\($0)") }) else { continue }
            for (number, line) in file.lines.enumerated() where !line.contains("static let") {
                let isKeyed = Self.keys.contains { line.contains($0) }
                #expect(
                    !isKeyed,
                    "\(file.name):\(number + 1) compares texts by meaning; use TextSet or TextMap: \(line)")
            }
        }
    }

    @Test("Addresses, paths, keys and tags are compared by bytes", arguments: modules)
    func operators(module: String) throws {
        let names = "(url|finalURL|path|etag|lastModified|host|feed|collection|location|temporary)"
        let left = try Regex("\\.\(names)\\)? (==|!=) [a-zA-Z$(]")
        let right = try Regex(" (==|!=) [a-zA-Z$][a-zA-Z$.?!0-9]*[.]\(names)\\b(?![.(])")
        // A name of the command's own files, a field's key path and an enumeration.
        let other = try Regex("(== nil|!= nil|\\.bytes|\\.contains|\\.size\\(of:)")
        for file in try ArchitectureTests.files(in: module, suffix: "swift") {
            for (number, line) in file.lines.enumerated()
            where line.contains(left) || line.contains(right) {
                guard !line.contains(other), !line.contains("// ") else { continue }
                Issue.record("\(file.name):\(number + 1) compares texts by meaning; use ===: \(line)")
            }
        }
    }
}

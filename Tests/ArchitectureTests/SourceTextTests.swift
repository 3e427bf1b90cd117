// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Checks that the modules below the command name no flags: they return a `Hint` or a `Remedy`.
@Suite("Flag spelling", .timeLimit(.minutes(10))) struct FlagSpellingTests {
    /// The files outside the command that may name its flags, with the reason.
    private static let exceptions = [
        // Reports and galleries show commands, and are written without the command line tool.
        "SluiceModel/Failures/Hint.swift"
    ]
    /// The modules of the command itself.
    private static let commandModules: Set<String> = ["SluiceCLI", "SluiceBench"]

    @Test("Only the command spells its flags", .timeLimit(.minutes(10)))
    func spelling() throws {
        let sources = ArchitectureTests.sources
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        #expect(Self.exceptions.allSatisfy(names.contains), "every exception exists")
        for name in names where name.hasSuffix(".swift") && !Self.exceptions.contains(name) {
            guard let module = name.split(separator: "/").first, !Self.commandModules.contains(String(module)) else {
                continue
            }
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            for (number, line) in text.components(separatedBy: "\n").enumerated() where Self.namesFlag(line) {
                Issue.record("\(name):\(number + 1) names a flag; return a hint instead: \(line)")
            }
        }
    }

    @Test(
        "A flag is found in every kind of string, and only there",
        arguments: [
            (#"throw MirrorError(.usage, "choose another --out")"#, true), (#"let flag = "--out""#, true),
            ("run `sluice gallery DIR --rebuild` again", true), ("/// The value of `--out`.", false),
            (#"let range = "a--b""#, false), ("let value = a - -b", false), ("// --out", false),
        ])
    func recognition(line: String, isFlag: Bool) {
        #expect(Self.namesFlag(line) == isFlag)
    }

    /// Whether a line of code, which is not a comment, contains a flag.
    private static func namesFlag(_ line: String) -> Bool {
        // A regular expression for every line would take seconds.
        guard line.contains("--"), !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
        return line.contains(/(?:^|[\s"'`(=])--[a-z]/)
    }
}

/// Finds comparisons of texts from outside that go by Unicode's equivalence instead of bytes; see `ExactText`.
@Suite("Comparisons of texts", .timeLimit(.minutes(5))) struct TextComparisonTests {
    /// The modules that receive text from outside; the command's own sets are of its words.
    static let modules = OutsideValueTests.modules.filter { $0 != "SluiceCLI" }

    /// The files whose sets and dictionaries may have texts as keys, by the reason.
    static let exceptions: [String: Set<String>] = [
        // Host names are ASCII: a request to any other fails.
        "hosts": [
            "Drift/DriftReport.swift", "Work/SharedOriginFiles.swift", "Planning/LeftoverPlanning.swift",
            "Plan/Plan.swift",
            "Plan/PlannedRows.swift", "Plan/ShardPacking.swift",
            "Events/EventRecorder.swift", "Feed/FeedSession.swift",
            "Feed.swift", "DNS/ResolverState.swift", "HTTP/ExchangeResult.swift", "HTTP/NetrcOrigins.swift",
            "HTTP/TransferSockets.swift", "Pool/HostTracker.swift", "Pool/WorkPool.swift", "Pool/WorkScheduler.swift",
            "Politeness/OriginCache.swift", "TransferOptions.swift",
        ],
        // Names that a format or a recipe defines; each is looked up by a name in the code.
        "names in formats": [
            "Politeness/RateLimit.swift", "Recipes/Photos/FieldRule.swift", "Recipes/Photos/PhotoRules.swift",
            "Recipes/Paging/RecipePaging.swift", "Recipes/Reading/RecipeErrorRules.swift", "IIIF/IIIFManifest.swift",
            "S3/Signing/AWSConfiguration.swift", "Syndication/Reading/EntryMetadata.swift",
            "Syndication/Reading/EntryPictureFinder.swift", "XML/XMLElement.swift", "XML/XMLBuilder.swift",
            "Text/HTML.swift",
            "Records/ListField.swift",
            "S3/Protocol/ReplyElement.swift", "Text/PlainText.swift", "Pages/Pictures/Decoration.swift",
            "Sidecars/PhotoSidecar.swift",
        ],
        // The user's words, which mean the same in both forms.
        "words of the user": ["Options/RunOptions.swift", "Select/Selection.swift"],
        // Checksums, causes and sizes, which Sluice writes.
        "own words": [
            "Export/DatasetExport.swift", "Export/ShardContent.swift", "Lock/LockComparison.swift",
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
            for (number, line) in file.lines.enumerated()
            where line.utf8.contains(where: { "<[".utf8.contains($0) }) && !line.contains("static let") {
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
            // Regular expressions are slow.
            for (number, line) in file.lines.enumerated()
            where line.contains("= ") && (line.contains(left) || line.contains(right)) {
                guard !line.contains(other), !line.contains("// ") else { continue }
                Issue.record("\(file.name):\(number + 1) compares texts by meaning; use ===: \(line)")
            }
        }
    }
}

/// Values that strangers wrote pass the checks of their author: see `Provenance`.
@Suite("Authors of values", .timeLimit(.minutes(5))) struct ProvenanceTests {
    /// The expressions that only one file may use, with that file.
    static let gates = [
        // The rules that say who may set an option.
        ("switch others", "SluiceCLI/Options/Flag.swift"),
        // The origins that may be private.
        ("trustedOrigins +=", "SluiceTransfer/Guard/AddressGuard.swift"),
        // Where a server's redirect leads; libcurl follows none.
        ("Redirect.next(", "SluiceTransfer/Transfers+Attempts.swift"),
        ("CURLOPT_FOLLOWLOCATION", "SluiceTransfer/HTTP/HTTPExchange+Setup.swift"),
        // The links in a service's reply that carry its key.
        (".hasOrigin(of: base)", "SluiceFeeds/Recipes/"),
        // Where a secret gets into a request.
        (".content(at: address)", "SluiceTransfer/HTTP/RequestSpec.swift"),
        // The comparison of a worker's reply with the request.
        (".result(in: reply)", "SluiceEngine/Decode/SandboxedDecoder.swift"),
    ]

    @Test("Each gate has one place", arguments: gates)
    func places(expression: String, place: String) throws {
        var found: Set<String> = []
        for module in ArchitectureTests.arrows.keys {
            for file in try ArchitectureTests.files(in: module, suffix: "swift")
            where file.lines.contains(where: { $0.contains(expression) }) { found.insert(file.name) }
        }
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix(place) }, "\(expression): \(found.sorted())")
    }

    @Test("No other code trusts addresses")
    func trust() throws {
        for module in ArchitectureTests.arrows.keys {
            for file in try ArchitectureTests.files(in: module, suffix: "swift") {
                let isFound = file.lines.contains { $0.contains("trustedOrigins = [") && !$0.contains("var ") }
                #expect(!isFound, "\(file.name)")
            }
        }
    }

    @Test("Only one type sends requests for a recipe, which has the key")
    func recipes() throws {
        for file in try ArchitectureTests.files(in: "SluiceFeeds", suffix: "swift")
        where file.name.contains("/Recipes/") {
            let sends = file.lines.contains { $0.contains(" Request(") || $0.contains("transfers.") }
            #expect(!sends || file.name.hasSuffix("/RecipeClient.swift"), "\(file.name)")
        }
    }

    /// The files of feeds that send requests, with the reason why no cursor can choose their addresses.
    static let senders = [
        "SluiceFeeds/SourcePages.swift": "it compares the address with SOURCE",
        "SluiceFeeds/Recipes/Reading/RecipeClient.swift": "it compares the address with the recipe's base",
        "SluiceFeeds/IIIF/IIIFTree.swift": "a cursor is a path of numbers; links of documents have no secret",
        "SluiceFeeds/OAI/OAIFeed.swift": "a cursor is an encoded argument in the address of SOURCE",
        "SluiceFeeds/Sources/DatasetFilesSource.swift": "the listing begins at SOURCE in each run",
        "SluiceFeeds/Lists/Remote/ListDownload.swift": "a cursor is a number",
    ]

    @Test("A feed requests no address that a cursor names without comparing it with its source")
    func cursors() throws {
        var found: Set<String> = []
        for file in try ArchitectureTests.files(in: "SluiceFeeds", suffix: "swift")
        where file.lines.contains(where: { $0.contains("transfers.fetch(") || $0.contains("transfers.download(") }) {
            found.insert(file.name)
        }
        #expect(found == Set(Self.senders.keys))
    }

    @Test("Every exchange is begun where the guard has checked its address")
    func exchanges() throws {
        for file in try ArchitectureTests.files(in: "SluiceTransfer", suffix: "swift") {
            guard file.lines.contains(where: { $0.contains("loop.perform") }) else { continue }
            #expect(file.lines.contains { $0.contains("addressGuard.check(address)") }, "\(file.name)")
        }
    }

    @Test("Replies of decode workers are read next to their gate only")
    func workers() throws {
        let names = ["DecodeReply", "DecodeRequest", "DecodeWorker", "SandboxedDecoder"]
        let places = Set(
            names.map {
                "SluiceEngine/Decode/\($0).swift"
            })
        for module in ArchitectureTests.arrows.keys {
            for file in try ArchitectureTests.files(in: module, suffix: "swift")
            where file.lines.contains(where: { $0.contains("DecodeReply") }) {
                #expect(places.contains(file.name), "\(file.name)")
            }
        }
    }

    @Test("Recorded words are parsed by their gate only")
    func parsers() throws {
        for file in try ArchitectureTests.files(in: "SluiceCLI", suffix: "swift") {
            let isGate = file.name.hasSuffix("/LastCommand.swift") || file.name.hasSuffix("/Tool.swift")
            #expect(isGate || !file.lines.contains { $0.contains("Parser.parse(") }, "\(file.name)")
        }
    }
}

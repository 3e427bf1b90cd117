// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Values that strangers wrote pass the checks of their author: see `Provenance`.
@Suite("Authors of values", .timeLimit(.minutes(5))) struct ProvenanceTests {
    /// The expressions that only one file may use, with that file.
    static let gates = [
        // The rules that say who may set an option.
        ("switch others", "SluiceCLI/Options/Flag+Authors.swift"),
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
            let isGate = file.name.hasSuffix("/RecordedCommand.swift") || file.name.hasSuffix("/Tool.swift")
            #expect(isGate || !file.lines.contains { $0.contains("Parser.parse(") }, "\(file.name)")
        }
    }
}

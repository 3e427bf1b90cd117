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

    @Test("Recorded words are parsed by their gate only")
    func parsers() throws {
        for file in try ArchitectureTests.files(in: "SluiceCLI", suffix: "swift") {
            let isGate = file.name.hasSuffix("/RecordedCommand.swift") || file.name.hasSuffix("/Tool.swift")
            #expect(isGate || !file.lines.contains { $0.contains("Parser.parse(") }, "\(file.name)")
        }
    }
}

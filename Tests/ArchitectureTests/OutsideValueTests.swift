// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Finds code that a value from outside makes end the process, or misjudge a text; see `Quantity` and `ExactText`.
///
/// Such values are in feeds, lists, replies of servers, ledgers, manifests, plans and receipts. The rules know no
/// types, so each is about a spelling, and the safe spelling is as short as the other one.
@Suite("Values from outside", .timeLimit(.minutes(5))) struct OutsideValueTests {
    /// All modules except those without values from outside, and the decoders, which have checks of their own.
    static let modules = ArchitectureTests.arrows.keys.sorted().filter {
        !["SluiceBench", "SluiceDemo", "SluiceImaging"].contains($0)
    }

    /// A spelling that is forbidden, and where it is right.
    struct Rule: Sendable, CustomTestStringConvertible {
        var name: String
        var advice: String
        /// Words of which a line has one; a regular expression for each line would take seconds.
        var words: [String]
        var isFound: @Sendable (String) -> Bool
        /// The files with the spelling, by the reason why it is right there.
        var exceptions: [String: [String]] = [:]
        /// Lines that have the spelling, and lines that do not.
        var examples: (found: [String], others: [String])

        var testDescription: String { name }
    }

    static let rules = [
        Rule(
            name: "traps", advice: "throw an error, or ignore the value",
            words: ["precondition", "fatalError", "assert", "try!", "as! ", "unsafelyUnwrapped"],
            isFound: {
                $0.contains(
                    /\b(precondition|preconditionFailure|fatalError|assert|assertionFailure)\(|\btry!|\bas! |\bunsafelyUnwrapped\b/
                )
            },
            exceptions: [
                "a library has no memory": [
                    "Compression/PageDecoder.swift", "Compression/ListCompression.swift",
                    "SluiceFiles/StreamEncoders.swift", "SluiceTransfer/Digest.swift", "HTTP/EasyHandle.swift",
                    "HTTP/MultiHandle.swift", "Concurrency/Locked.swift",
                ],
                "a constant of the program": [
                    "Services/BuiltInRecipes.swift", "Text/HTML.swift", "SluiceLedger/Schema.swift",
                    "Photos/PhotoField.swift", "Guard/NetworkAddress.swift", "Commands/BenchCommand.swift",
                    "Metrics/SampleSeries.swift",
                ],
                "the order of calls within the program": [
                    "Merge/PlanMerge.swift", "Plan/RowFile.swift", "Work/DatasetCommit.swift",
                    "Concurrency/OneShot.swift",
                    "SluiceFiles/ZipFile.swift", "Write/ColumnWriter.swift", "Write/ParquetWriter.swift",
                    "Feed/PageReader.swift",
                ],
                "slots and memory, which the program counts": [
                    "Decode/WeightedSemaphore.swift", "Pool/ConcurrencyController.swift", "Pool/WorkScheduler.swift",
                ],
            ],
            examples: (
                ["precondition(count > 0)", "guard let x else { fatalError() }", "let x = try! y()", "z as! Int"],
                ["try definition.preconditions()", "let asserted = 1"]
            )),
        Rule(
            name: "keys whose type is not written",
            advice: "write Set<Int>(...), [Int: Item](grouping: ...), or TextSet(...)",
            words: ["Set(", "Dictionary("],
            isFound: { $0.contains(/\b(Set|Dictionary)\(/) && !$0.contains("static let") },
            exceptions: [
                "the command's own options, causes and rows": [
                    "Commands/BenchCommand.swift", "Commands/DuplicatesCommand.swift", "Commands/WorkCommand.swift",
                    "Display/TextTable.swift", "Display/RecoverySuggestion.swift", "Options/Flags+Export.swift",
                    "Options/Flags+Maintenance.swift", "Options/Flags+Thumbnails.swift", "Options/LastCommand.swift",
                ]
            ],
            examples: (
                ["let names = Set(items.map(\\.name))", "for group in Dictionary(grouping: items, by: \\.key) {"],
                ["Set<Int>(items.map(\\.seq))", "TextSet(names)", "private static let names = Set(all)"]
            )),
        Rule(
            name: "keys that must differ", advice: "state which of two values remains",
            words: ["uniqueKeysWithValues"], isFound: { !$0.contains("static let") },
            examples: (
                ["[Int: Int](uniqueKeysWithValues: pairs)"],
                ["private static let byName = Dictionary(uniqueKeysWithValues: names)"]
            )),
        Rule(
            name: "texts as numbers without limits",
            advice: "write Int(text)?.within(Quantity.range), or a smaller range",
            words: ["Int(", "Int.init"],
            isFound: { line in
                let isOptional = line.contains(
                    /((if|guard|,|while) let \w+ = |(flatMap|map|compactMap) ?\(?\{ )U?Int\(|(flatMap|compactMap)\(U?Int\.init|\b[U]?Int\(.*\) \?\?|\? U?Int\(\w+\)/
                )
                return isOptional && !line.contains(/\)\?\.within\(|contains\(|clamping:|exactly:|rounding:/)
            },
            exceptions: [
                "words of the user": [
                    "Commands/WorkCommand.swift", "Options/Argument.swift", "Options/Flags+Maintenance.swift",
                    "Guard/NetworkAddress.swift",
                ],
                "a number that is only compared or printed": [
                    "SluiceOrigin/OriginReply.swift", "Items/Receipt.swift", "JSON/JSON.swift",
                ],
                "a fixed number of digits": ["Data/Hue.swift"],
                "numbers of the system": ["SluiceFiles/Folder+Files.swift", "SluiceTransfer/WebAddress.swift"],
            ],
            examples: (
                [
                    "guard let size = Int(text) else {", "headers[name].flatMap { Int($0) }",
                    "let x = Int(parts[1]) ?? 0",
                    "texts.compactMap(Int.init)",
                ],
                [
                    "headers[name].flatMap { Int($0)?.within(Quantity.range) }", "let count = Int(byte)",
                    "guard let port = Int(text), (1...65535).contains(port) else {",
                ]
            )),
        Rule(
            name: "decimals as integers", advice: "write Int(rounding: number), which has a value for every number",
            words: ["rounded("],
            isFound: { $0.contains(/\b[U]?Int(8|16|32|64)?\((?!exactly:|rounding:).*\.rounded\(/) },
            exceptions: [
                "times and sizes that the program measured": [
                    "Decode/WorkerSocket.swift", "Report/MetricsText.swift", "Charts/LatencyChart.swift",
                    "Pool/ConcurrencyController.swift",
                ],
                "the conversion itself": ["JSON/Quantity.swift"],
            ],
            examples: (
                ["Int((seconds * 1000).rounded())", "Int(x.rounded(.up))"],
                ["Int(rounding: seconds * 1000)", "Int(exactly: x.rounded())", "let y = x.rounded()"]
            )),
        Rule(
            name: "sums that overflow", advice: "write items.sum(\\.bytes) or total.add(bytes)",
            words: [".bytes", ".rows", ".samples", ".size"],
            isFound: {
                $0.contains(
                    /reduce\(0\b.*\$0 \+ \$1(\.\w+)*\.(bytes|rows|samples|size)\b|\+= \w+(\.\w+)*\.(bytes|rows|samples|size)$/
                )
            },
            exceptions: [
                "arrays of bytes": ["Metrics/TraceEvents.swift", "Data/DataChunk.swift", "Text/HTML.swift"],
                "what the program has in memory or has received": [
                    "Export/PrefetchedRows.swift", "Metrics/SampleSeries.swift", "Report/RunReporter.swift",
                    "Report/RunReport+Metrics.swift", "S3/S3Store.swift", "Plan/ShardPacking.swift",
                    "Read/ParquetReader.swift",
                ],
                "decimals": ["Mirror/Forecast.swift"],
            ],
            examples: (
                ["files.reduce(0) { $0 + $1.file.bytes }", "bytes += shard.bytes"],
                ["files.sum(\\.file.bytes)", "bytes.add(shard.bytes)", "count += 1"]
            )),
        Rule(
            name: "integers of any size", advice: "read a count, a time or a side, which have limits",
            words: ["anyInteger", "row.hash()"], isFound: { _ in true },
            exceptions: [
                "hashes": ["SluiceLedger/PageClaims.swift", "SQLite/Database.swift"],
                "the photo keeps only possible numbers": ["SluiceLedger/ItemTable.swift"],
                "a number that is compared with its limit": ["Reading/RecipeNode.swift"],
                "numbers that are only stored or compared": [
                    "Export/DatasetColumn.swift", "Photos/FieldConditions.swift", "Photos/FieldPath.swift",
                    "JSON/JSON.swift", "Select/FilterField.swift",
                ],
            ],
            examples: (["json[name]?.anyInteger", "seq = row.hash()"], ["json[name]?.quantity", "try row.quantity()"])),
    ]

    @Test("No code trusts values from outside", arguments: rules)
    func spelling(rule: Rule) throws {
        var unused = Set(rule.exceptions.values.joined())
        for module in Self.modules {
            for file in try ArchitectureTests.files(in: module, suffix: "swift") {
                let isExcepted = rule.exceptions.values.joined().first {
                    file.name.hasSuffix("/\($0)") || file.name == $0
                }
                for (number, line) in file.lines.enumerated() where rule.matches(line) {
                    if let isExcepted {
                        unused.remove(isExcepted)
                    } else {
                        Issue.record("\(file.name):\(number + 1) has \(rule.name); \(rule.advice): \(line)")
                    }
                }
            }
        }
        #expect(unused.isEmpty, "these files no longer have \(rule.name)")
    }

    @Test("The rules find what they forbid, and nothing else", arguments: rules)
    func recognition(rule: Rule) {
        for line in rule.examples.found { #expect(rule.matches(line), "\(line)") }
        for line in rule.examples.others { #expect(!rule.matches(line), "\(line)") }
    }
}

extension OutsideValueTests.Rule {
    /// Whether a line of code, which is not a comment, has the spelling.
    fileprivate func matches(_ line: String) -> Bool {
        guard words.contains(where: { line.contains($0) }) else { return false }
        return !line.drop(while: { $0 == " " }).hasPrefix("//") && isFound(line)
    }
}

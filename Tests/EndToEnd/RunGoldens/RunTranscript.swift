// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

/// The results of a sequence of commands as one text, without what differs between machines and between runs.
///
/// Times, ports, sizes of pictures and everything that depends on the encoders are replaced. Checksums are replaced by
/// numbers, so that equal ones stay equal. Events of concurrent items are sorted by item.
struct RunTranscript {
    let folder = TemporaryFolder()
    private(set) var text = ""
    private var names: [Substring: Int] = [:]
    private let environment: [String: String]
    /// The port of the test's server.
    var port: UInt16?

    init(_ environment: [String: String] = [:]) { self.environment = environment }

    /// The folder in which the commands run.
    var url: URL { folder.url }

    /// Runs a command, and adds its exit code and its output.
    mutating func run(_ line: String) throws {
        let result = try Binary.shell(
            "sluice \(line)", environment: ["HOME": url.path].merging(environment) { $1 }, folder: url)
        add("sluice \(line)", ["exit code \(result.code)"] + Self.sorted(result.out))
        if ![0, 3].contains(result.code) { add("messages", [result.err]) }
    }

    /// Runs a line of shell whose output is not added.
    func prepare(_ line: String) throws {
        let result = try Binary.shell(line, environment: environment, folder: url)
        try #require(result.code == 0, "\(line): \(result.err)")
    }

    /// Adds the manifest, the ledger, the report and the names of the files of a mirror.
    mutating func show(_ mirror: String) throws {
        let tree = try Tree(of: url.appending(path: mirror).path)
        let hidden = ["gallery/", ".sluice/ledger.sqlite-"]
        add("files of \(mirror)", tree.names.filter { name in !hidden.contains { name.hasPrefix($0) } })
        add("manifest of \(mirror)", [tree.text("manifest.jsonl")])
        try showLedger(mirror)
        if let report = tree.files["report.json"] { add("report of \(mirror)", [try Self.report(report)]) }
    }

    /// Adds the rows of all tables of a ledger.
    mutating func showLedger(_ mirror: String) throws {
        let path = url.appending(path: "\(mirror)/.sluice/ledger.sqlite").path
        let database = try Database(path, access: .unchanging)
        let tables = try database.text(
            "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid)")
        for table in (tables ?? "").split(separator: ",") {
            let columns = try database.text(
                "SELECT group_concat('''' || name || ''', ' || name) FROM pragma_table_info('\(table)')")
            let rows = try database.text(
                "SELECT group_concat(row, char(10)) FROM (SELECT json_object(\(columns ?? "")) AS row FROM \(table) ORDER BY 1)"
            )
            if let rows { add("table \(table) of \(mirror)", [rows]) }
        }
    }

    private mutating func add(_ title: String, _ lines: [String]) {
        let body = lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
        text += "## \(normalised(title))\n\(normalised(body))\n\n"
    }

    /// The lines of events in a fixed order: those of the run, then those of each item.
    private static func sorted(_ out: String) -> [String] {
        let lines = out.split(separator: "\n").map(String.init)
        guard out.hasPrefix("{\"schema\":1,\"event\"") else { return lines }
        let events = lines.compactMap { line in (try? RunEvent(line)).map { (line: line, event: $0) } }
        let own = events.filter { !["item-started", "item-ended", "item-progressed"].contains($0.event.name) }
        let items = events.enumerated().filter { ["item-started", "item-ended"].contains($0.element.event.name) }
            .sorted { ($0.element.event.seq, $0.offset) < ($1.element.event.seq, $1.offset) }.map(\.element)
        let end = own.suffix(1)
        return (own.dropLast() + items + end).map(\.line)
    }

    /// A report without what is measured.
    private static func report(_ data: Data) throws -> String {
        var members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        for name in [
            "started_at", "duration", "bottleneck", "blocked", "cost", "phases", "stages", "over_time", "versions",
        ] { members[name] = nil }
        members["failures"] = (members["failures"] as? [[String: Any]])?.sorted {
            ($0["seq"] as? Int ?? 0) < ($1["seq"] as? Int ?? 0)
        }
        members["earlier"] = (members["earlier"] as? [Any])?.count
        let sorted = try JSONSerialization.data(
            withJSONObject: members, options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
        return String(decoding: sorted, as: UTF8.self).replacing(" : ", with: ":")
    }

    private mutating func normalised(_ text: String) -> String {
        var text = text
        let folder = url.path
        text = text.replacing("/private\(folder)", with: "FOLDER").replacing(folder, with: "FOLDER")
        // Values that a ledger's row does not have.
        text = text.replacing(/,?"[a-z_]+":null/, with: "")
        // The port, but not its digits within another number.
        if let port, let number = try? Regex("\\b\(port)\\b").wordBoundaryKind(.simple) {
            text = text.replacing(number, with: "PORT")
        }
        text = text.replacing(/shards\/[0-9a-f]{16}\/([0-9]+)\/[^"\/]+/) { "shards/PLAN/\($0.1)/ATTEMPT" }
        // Times, speeds, sizes, and what depends on pixels or on files' metadata.
        text = text.replacing(/"(time|duration|delay|peak_memory|started|ended|facts|folded|date)":-?[0-9.]+/) {
            "\"\($0.1)\":0"
        }
        text = text.replacing(/("[a-z_]*bytes[a-z_]*"):[1-9][0-9]*/) { "\($0.1):1" }
        text = text.replacing(/\b[1-9][0-9]* bytes/, with: "N bytes")
        text = text.replacing(/"(phash|placeholder|color|last_modified|date)":"[^"]+"/) { "\"\($0.1)\":\"…\"" }
        text = text.replacing(/"etag":"(?:\\.|[^"\\])+"/, with: #""etag":"…""#)
        text = text.replacing(/feed=[0-9a-f]{16}/, with: "feed=…")
        text = text.replacing(/("stamp":"[0-9a-f]{16})\x20[^ "]+\x20/) { "\($0.1) … " }
        text = text.replacing(/\{"stamp":"[0-9a-f]{16}"\}/, with: #"{"stamp":"…"}"#)
        var result = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: /\b[0-9a-f]{64}\b/) {
            let number = names[match.0] ?? names.count + 1
            names[match.0] = number
            result += rest[..<match.range.lowerBound] + "sha256-\(number)"
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }
}

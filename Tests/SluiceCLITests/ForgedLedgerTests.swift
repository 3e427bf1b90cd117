// SPDX-License-Identifier: MIT

import Foundation
import SluiceEngine
import TestSupport
import Testing

@testable import SluiceCLI
@testable import SluiceLedger

/// Ledgers from strangers, with extreme values in each column of the schema.
///
/// The commands run in this process: a trap ends it. `started` and `ended` of a run ended `export`, `recheck` and
/// `drift`.
@Suite("Ledgers from strangers", .serialized, .timeLimit(.minutes(30))) struct ForgedLedgerTests {
    /// A column of the ledger's schema.
    struct Column: Sendable {
        var table: String
        var name: String
        var isNumber: Bool
    }

    /// Numbers at the ends of their type.
    private static let numbers = ["-9223372036854775808", "9223372036854775807"]
    /// Texts that are no number and no name, and some that contain extreme numbers.
    private static let texts = [
        "'e\u{301}'", "char(0) || 'a/../b'",
        #"'[{"name":"e\u0301","url":"http://a.test/","width":9223372036854775807,"height":-9223372036854775808}]'"#,
        #"'[{"size":"9223372036854775807","file":"thumbs/x","width":9223372036854775807,"bytes":9223372036854775807}]'"#,
    ]
    /// The commands that read a ledger and answer without a server.
    private static let commands = [
        "explain m", "diff m 0", "gallery m", "export m -o a --layout img2dataset",
    ]

    private let folder = TemporaryFolder()
    private var ledger: URL { folder.url.appending(path: "m/\(Ledger.name)") }

    /// Runs a command in which `m`, `a` and `b` are names in the folder; returns its exit code.
    private func run(_ line: String) async throws -> Int32 {
        let words = line.split(separator: " ").map {
            ["m", "a", "b"].contains($0) ? folder.path(String($0)) : String($0)
        }
        let (out, err) = (try CapturedOutput(), try CapturedOutput())
        let environment = Environment()
        let console = Console(
            arguments: .success(words), out: out.output, err: err.output, environment: environment)
        return await Tool.run(console).number
    }

    /// The columns of all tables.
    private func columns() throws -> [Column] {
        let database = try Database(ledger.path)
        var columns: [Column] = []
        try Statement(
            """
            SELECT tables.name, columns.name, columns.type = 'INTEGER'
            FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'
            """, of: database
        ).forEach { (row) throws(LedgerError) in
            columns.append(
                Column(table: row.text() ?? "", name: row.text() ?? "", isNumber: try row.quantity() == 1))
        }
        return columns
    }

    @Test("No value in any column ends a command by a signal")
    func extremes() async throws {
        let made = try await run("mirror demo --pages 1 --per-page 2 --variant thumb --sizes 32 --no-isolate -o m")
        try #require(made == 0)
        // SQLite shares the state of a file's connections, so none may stay open when the file is replaced.
        do {
            let rows = try Database(ledger.path)
            try rows.execute("INSERT INTO attempts SELECT seq, 1 FROM items; INSERT INTO doubts SELECT seq FROM items")
        }
        let intact = try Data(contentsOf: ledger)
        let columns = try columns()
        #expect(columns.count > 60 && columns.contains { $0.isNumber } && columns.contains { !$0.isNumber })
        var codes: [Int32: Int] = [:]
        for column in columns {
            for value in column.isNumber ? Self.numbers : Self.texts {
                for command in Self.commands {
                    try intact.write(to: ledger)
                    for name in ["a", "b", "m/\(Ledger.name)-wal", "m/\(Ledger.name)-shm"] {
                        try? folder.remove(name)
                    }
                    // A text that must be unique, and a number in place of a text, may be refused.
                    try? Database(ledger.path).execute(
                        "UPDATE OR REPLACE \(column.table) SET \(column.name) = \(value)")
                    codes[try await run(command), default: 0] += 1
                }
            }
        }
        #expect(codes.keys.allSatisfy { (0...7).contains($0) }, "\(codes)")
        #expect(codes[0] ?? 0 > 100 && codes[7] ?? 0 > 50, "\(codes)")
    }
}

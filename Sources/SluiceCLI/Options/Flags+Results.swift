// SPDX-License-Identifier: MIT

internal import SluiceBench

extension Flag {
    /// Where a bench's results go beside the terminal.
    static let results: [Flag] = BenchFormat.allCases.map { format in
        Flag(
            long: "export-\(format.rawValue)", value: Placeholder("FILE", .file), category: .bench, commands: [.bench],
            isLasting: false, subjects: [.loader, .replay, .imaging], help: "Write the results as \(format.words)",
            longHelp:
                "Writes the results as \(format.words) to FILE, or to standard output, without the table, for `-`.",
            apply: { (options, argument) throws(Refusal) in
                options.bench.exports.append((format, try argument.line("a file's name")))
            })
    }
}

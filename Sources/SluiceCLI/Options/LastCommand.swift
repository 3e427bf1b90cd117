// SPDX-License-Identifier: MIT

internal import Sluice

/// The last command of a mirror that is gone on with: `sluice mirror` or `sluice adopt` without a SOURCE.
struct LastCommand {
    /// Its options.
    let settings: [Setting]
    /// Its SOURCE.
    let positionals: [String]

    /// Reads it off the ledger of the mirror in `folder`; `nil` where there is none and only the settings are asked for.
    init?(in folder: String, _ line: Parser.Result) throws {
        let command = line.command ?? .mirror
        let needed =
            "\(command.name) needs a SOURCE, as in: \(command.example) (without one it goes on with a mirror, and"
        let runs: [PastRun]
        do throws(MirrorError) {
            runs = try Mirror.runs(in: folder)
        } catch {
            guard error.code == .usage else { throw error }
            if line.options.request == .settings { return nil }
            throw UsageError("\(needed) \(escaped(folder)) is none)")
        }
        guard let last = runs.last(where: { $0.words.first == CommandName.mirror.rawValue }) else {
            throw UsageError("\(needed) \(escaped(folder)) knows no command)")
        }
        let options = try Parser.parse(last.words, from: .lastCommand).options
        (settings, positionals) = (options.settings, options.positionals)
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceBench

/// The command as a whole: the arguments are read, the command is run, and its end is an exit code.
enum Tool {
    static func run(_ console: Console) async -> ExitCode {
        guard let arguments = console.arguments else {
            return console.refuse(UsageError("an argument is not UTF-8; Sluice takes no other text"))
        }
        if let part = BenchPart(arguments) { return await run(part, console) }
        let line: Parser.Result
        do {
            line = try Settings(of: console.environment).complete(Parser.parse(arguments))
        } catch {
            return console.fail(error)
        }
        let code = await run(line, console.colored(line.options.color))
        if let problem = console.out.problem { console.complain("standard output cannot be written: \(problem)") }
        return console.out.exitCode ?? code
    }

    private static func run(_ line: Parser.Result, _ console: Console) async -> ExitCode {
        switch line.options.request {
        case .help(let length): console.out.write(helpText(of: line.command, length))
        case .version: console.out.write(versionText())
        case .settings: PrintedSettings(options: line.options, console: console).print()
        case nil:
            guard let command = line.command else {
                console.err.write(helpText(of: nil, .short))
                return .usage
            }
            return await command.run(line.options, console)
        }
        return .done
    }

    /// What a bench starts this program as: no command of the user's.
    private static func run(_ part: BenchPart, _ console: Console) async -> ExitCode {
        do {
            try await part.run { console.out.write($0 + [UInt8(ascii: "\n")]) }
            return .done
        } catch {
            return console.fail(error)
        }
    }
}

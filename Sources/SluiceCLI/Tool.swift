// SPDX-License-Identifier: MIT

internal import SluiceBench
internal import SluiceEngine
internal import SluiceModel

/// The entry point: parses the arguments, runs the command and returns its exit code.
enum Tool {
    static func run(_ console: Console) async -> ExitCode {
        let arguments: [String]
        do { arguments = try console.arguments.get() } catch {
            return console.fail(
                UsageError(
                    escaped(error.problem, columns: 1000), hint: "for files with such names, name their folder"))
        }
        if let part = BenchHelper(arguments) { return await run(part, console) }
        if arguments.first == Completions.firstArgument {
            console.out.write(Completions(of: arguments.dropFirst()).text)
            return .done
        }
        let line: Parser.Result
        do {
            line = try SettingsResolver(console.environment).resolve(Parser.parse(arguments))
        } catch {
            return console.fail(error)
        }
        let code = await run(line, console.colored(line.options.color))
        if let problem = console.out.problem { console.printError("cannot write standard output: \(problem)") }
        return console.out.exitCode ?? code
    }

    private static func run(_ line: Parser.Result, _ console: Console) async -> ExitCode {
        switch line.options.request {
        // The overview is one screen; `sluice help` prints all of it.
        case .help(let length): console.printHelp(of: line.command, line.command == nil ? .short : length)
        case .version: console.print("sluice \(Version.number)")
        case .settings: SettingsPrinter(options: line.options, console: console).print()
        case nil:
            guard let command = line.command else {
                console.err.write(helpText(of: nil, .short, width: helpWidth(on: console.err)))
                return .usage
            }
            do {
                if command.takesSettings { try Machine.checkProc() }
                return try await command.run(line.options, console)
            } catch {
                return console.fail(error)
            }
        }
        return .done
    }

    /// Runs this program as a child process of a benchmark; not a command for users.
    private static func run(_ part: BenchHelper, _ console: Console) async -> ExitCode {
        do {
            try await part.run { console.out.write($0 + [UInt8(ascii: "\n")]) }
            return .done
        } catch {
            return console.fail(error)
        }
    }
}

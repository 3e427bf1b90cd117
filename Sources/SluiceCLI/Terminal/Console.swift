// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The process's surroundings: its arguments, where data and words go, and how they may look.
struct Console: Sendable {
    /// The arguments without the program's name; `nil` if one of them is no UTF-8.
    let arguments: [String]?
    /// Data.
    let out: Output
    /// Words for people.
    let err: Output
    /// What the environment says.
    let environment: Environment
    /// How data may look.
    var outStyle: Style
    /// How words may look.
    var errStyle: Style

    init(arguments: [String]?, out: Output, err: Output, environment: Environment) {
        self.arguments = arguments
        self.out = out
        self.err = err
        self.environment = environment
        outStyle = Style(.auto, on: out, environment)
        errStyle = Style(.auto, on: err, environment)
    }

    /// The process's own.
    static func open() -> Console {
        standUpClosedDescriptors()
        // A reader that goes away shows as EPIPE where it is written to, and must not kill the run.
        signal(SIGPIPE, SIG_IGN)
        // A file that grows beyond `ulimit -f` is trouble to be told, and no reason to be killed.
        signal(SIGXFSZ, SIG_IGN)
        return Console(
            arguments: commandLineArguments(), out: Output(descriptor: 1), err: Output(descriptor: 2),
            environment: .ofProcess())
    }

    /// The same with the user's choice of colour.
    func colored(_ choice: ColorChoice) -> Console {
        var console = self
        console.outStyle = Style(choice, on: out, environment)
        console.errStyle = Style(choice, on: err, environment)
        return console
    }

    /// Whether the display may redraw itself: on a terminal that can, and not among the lines of `--json`.
    func isLive(isJSON: Bool) -> Bool {
        err.isTerminal && environment.canRedraw && !(isJSON && out.isTerminal)
    }

    /// Prints a line of data.
    func print(_ line: String) { out.write(line + "\n") }

    /// Tells people something.
    func tell(_ line: String) { err.write(line + "\n") }

    /// Tells people what went wrong.
    func complain(_ message: String) {
        tell("\(errStyle.paint("sluice:", .red)) \(withoutMiddle(escaped(message, columns: 100_000)))")
    }

    /// Refuses the command line.
    func refuse(_ error: UsageError) -> ExitCode {
        complain(error.message)
        return .usage
    }

    /// Tells why a command could not do its work; the exit code follows from the error.
    func fail(_ error: any Error) -> ExitCode {
        if let error = error as? UsageError { return refuse(error) }
        if let error = error as? BenchError {
            complain(error.description)
            return ExitCode(error.code)
        }
        guard let error = error as? MirrorError else {
            complain("\(error)")
            return .bug
        }
        complain(error.message)
        return ExitCode(error.code)
    }
}

/// Puts /dev/null where a standard descriptor is closed, lest a file of the mirror get its number and our words.
private func standUpClosedDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
        // The lowest free number is taken, which is this one.
        _ = unsafe open("/dev/null", O_RDWR)
    }
}

/// The arguments as they are; Swift's own list would quietly replace what is no UTF-8, and name another file.
private func commandLineArguments() -> [String]? {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
        guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
        guard let text = unsafe String(validatingCString: pointer) else { return nil }
        arguments.append(text)
    }
    return arguments
}

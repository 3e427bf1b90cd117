// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceBench
internal import SluiceEngine
internal import SluiceModel
internal import SluiceSystem

/// The arguments, outputs and environment of the process.
struct Console: Sendable {
    /// The arguments without the program name, or the first one that is not valid UTF-8.
    let arguments: Result<[String], InvalidText>
    let out: Output
    let err: Output
    let environment: Environment
    var outStyle: Style
    var errStyle: Style

    init(arguments: Result<[String], InvalidText>, out: Output, err: Output, environment: Environment) {
        (self.arguments, self.out, self.err, self.environment) = (arguments, out, err, environment)
        outStyle = Style(.auto, on: out, environment)
        errStyle = Style(.auto, on: err, environment)
    }

    /// Returns the console of this process, after making its standard descriptors and signals safe.
    static func open() -> Console {
        openClosedDescriptors()
        // A closed pipe must give EPIPE from write(2), not end the run.
        signal(SIGPIPE, SIG_IGN)
        // A file beyond `ulimit -f` must give an error to report, not end the process.
        signal(SIGXFSZ, SIG_IGN)
        return Console(
            arguments: ProcessArguments.all, out: Output(descriptor: 1), err: Output(descriptor: 2),
            environment: .ofProcess())
    }

    /// Returns the console with the user's choice of colour.
    func colored(_ choice: ColorChoice) -> Console {
        var console = self
        console.outStyle = Style(choice, on: out, environment)
        console.errStyle = Style(choice, on: err, environment)
        return console
    }

    /// Whether the display may redraw itself: on a capable terminal that does not also show the lines of `--json`.
    func isLive(isJSON: Bool) -> Bool {
        err.isTerminal && environment.canRedraw && !(isJSON && out.isTerminal)
    }

    /// Prints a line to standard output.
    func print(_ line: String) { out.write(line + "\n") }

    func printMessage(_ line: String) { err.write(line + "\n") }

    func printError(_ message: String) {
        printMessage("\(errStyle.paint("sluice:", .red)) \(shortened(escaped(message, columns: 100_000)))")
    }

    /// Prints how the user may avoid an error.
    func printHint(_ hint: Hint) { printMessage("hint: \(escaped(hint.text))") }

    /// Prints the error of a command and returns its exit code.
    func fail(_ error: any Error) -> ExitCode {
        if let error = error as? UsageError {
            printError(error.message)
            if let hint = error.hint { printMessage("hint: \(hint)") }
            return .usage
        }
        if let error = error as? BenchError {
            printError(error.description)
            if let hint = error.hint { printHint(hint) }
            return ExitCode(error.code)
        }
        guard let error = error as? MirrorError else {
            printError("\(error)")
            return .bug
        }
        printError(error.message)
        if let hint = error.hint { printHint(hint) }
        return ExitCode(error.code)
    }
}

/// Opens /dev/null for each closed standard descriptor.
///
/// Otherwise a file of the mirror could get its number and receive messages.
private func openClosedDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
        // open(2) returns the lowest free descriptor, which is this one.
        _ = unsafe open("/dev/null", O_RDWR)
    }
}

/// The colours and characters that an output supports.
struct Style: Sendable, Hashable {
    var isColored = false
    /// Whether the output may contain characters beyond ASCII.
    var isUnicode = true

    init(isColored: Bool = false, isUnicode: Bool = true) {
        self.isColored = isColored
        self.isUnicode = isUnicode
    }

    init(_ choice: ColorChoice, on output: Output, _ environment: Environment) {
        isUnicode = environment.isUnicode
        isColored =
            switch choice {
            case .always: true
            case .never: false
            case .auto: output.isTerminal && environment.canRedraw && !environment.forbidsColor
            }
    }

    /// Terminal colours; the sixteen basic ones follow the user's theme.
    enum Color: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        case dim = "2"
    }

    /// Returns the text in this colour, if the output supports colour.
    func paint(_ text: String, _ color: Color) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// The values of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

/// The progress of work that the first signal stops: a single line that overwrites itself on a terminal.
///
/// Without a live terminal it prints nothing.
final class ProgressLine: Sendable {
    private let console: Console
    private let isLive: Bool
    private let lastShown = Locked<ContinuousClock.Instant?>(nil)
    private let signals: SignalHandler

    /// The exit code for the first signal; `nil` before it.
    var exitCode: ExitCode? { signals.exitCode }

    /// Calls `stop` with the first signal.
    init(on console: Console, isLive: Bool, stop: @escaping @Sendable () -> Void) {
        (self.console, self.isLive) = (console, isLive)
        signals = SignalHandler(
            onFirst: { _ in stop() }, beforeExit: { [lastShown] in Self.clear(lastShown, on: console) })
    }

    /// Erases the line, and stops handling signals.
    func end() {
        signals.stop()
        clear()
    }

    /// Shows the text, at most every 100 ms.
    func show(_ text: @autoclosure () -> String) {
        guard isLive, console.err.isForeground else { return }
        let now = ContinuousClock.now
        let isDue = lastShown.withLock { lastShown in
            guard lastShown.map({ now - $0 >= .milliseconds(100) }) ?? true else { return false }
            lastShown = now
            return true
        }
        guard isDue else { return }
        console.err.write("\r\(truncated(text(), to: max(1, (console.err.columns ?? 80) - 1)))\u{1B}[K")
    }

    /// Erases the line, so that other output can follow.
    func clear() { Self.clear(lastShown, on: console) }

    private static func clear(_ lastShown: Locked<ContinuousClock.Instant?>, on console: Console) {
        let wasShown = lastShown.withLock { lastShown in
            defer { lastShown = nil }
            return lastShown != nil
        }
        if wasShown { console.err.write("\r\u{1B}[K") }
    }
}

// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The parts of a bench that run in a process of their own: what the program does when it was started by itself.
public enum BenchPart: String, Sendable {
    /// The origin: serves pictures until nobody asks it any more.
    case origin
    /// One sample: loads the pictures once, and tells what that cost.
    case sample

    /// The first word of the program's arguments when it is to be a part; no command is called so.
    public static let word = "bench-part"

    /// What the arguments ask for; `nil` where they ask for no part.
    public init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == Self.word else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// Reads lines from standard input until its end, and answers each through `say`.
    public func run(saying say: @escaping @Sendable ([UInt8]) -> Void) async throws {
        // Ctrl-C reaches every process of the terminal; the bench ends its parts itself, once it has their results.
        signal(SIGINT, SIG_IGN)
        var lines = InputLines(try InputFile("-"))
        guard let order = try lines.next() else { return }
        let json = try JSON(parsing: order)
        switch self {
        case .origin:
            let origin = try BenchOrigin(json)
            say(origin.answer)
            while try lines.next() != nil { say(origin.answer) }
            origin.stop()
        case .sample:
            let watch = ParentWatch()
            say(try await LoaderSampling(SampleOrder(json)).run().json)
            watch.end()
        }
    }
}

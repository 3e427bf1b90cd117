// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// A running program whose standard output is read line by line, so that a test can act at a known moment.
final class Running {
    private let process = Process()
    private let out = Pipe()
    private let err: FileHandle
    private let ended = DispatchSemaphore(value: 0)
    private var output = ""

    /// Starts the command or another program; standard error goes to a file, so writing to it never blocks.
    ///
    /// It is killed after `limit` seconds.
    init(
        _ arguments: [String], program: String = Binary.path, environment: [String: String] = [:], folder: URL? = nil,
        limit: Double = 420
    ) throws {
        try #require(FileManager.default.isExecutableFile(atPath: program), "\(program) does not exist")
        let messages = FileManager.default.temporaryDirectory.appending(path: "sluice-stderr-\(UUID().uuidString)")
        try Data().write(to: messages)
        err = try FileHandle(forUpdating: messages)
        try FileManager.default.removeItem(at: messages)
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        process.currentDirectoryURL = folder ?? FileManager.default.temporaryDirectory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = out
        process.standardError = err
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        // A blocked read does not end at a test's time limit, so a process that hangs is killed, and its test fails.
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [weak process] in
            if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// Kills the process if it still runs or is stopped.
    ///
    /// Foundation never releases a process that has ended, and so never closes its files.
    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? err.close()
        try? out.fileHandleForReading.close()
    }

    /// Makes the pipe of standard output as small as possible, so that the program soon waits for its reader.
    func narrowOutput() {
        #if os(Linux)
            _ = fcntl(out.fileHandleForReading.fileDescriptor, 1031, 4096)  // F_SETPIPE_SZ
        #endif
    }

    /// Reads the next line of standard output and nothing after it.
    func line() throws -> String? {
        var line = Data()
        var byte: UInt8 = 0
        // Foundation reads single bytes so slowly that a run could finish in the meantime.
        while unsafe read(out.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard !line.isEmpty else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        output += text + "\n"
        return text
    }

    /// Reads events until `count` of the given name have arrived.
    @discardableResult func wait(for name: String, count: Int = 1) throws -> [RunEvent] {
        var events: [RunEvent] = []
        while events.count(where: { $0.name == name }) < count {
            let line = try #require(try line(), "the run ended before \(count) \(name)")
            events.append(try RunEvent(line))
        }
        return events
    }

    var identifier: Int32 { process.processIdentifier }

    /// Sends a signal to the process.
    func send(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Stops the process and waits until none of its threads runs; SIGCONT continues it.
    func stop() {
        send(SIGSTOP)
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process.processIdentifier), &info, WSTOPPED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Waits until the process exits; a signal that killed it is a negative code.
    func end() throws -> Binary.Result {
        output += String(decoding: try out.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return try endUnread()
    }

    /// Waits until the process exits, without reading the rest of its output.
    func endUnread() throws -> Binary.Result {
        ended.wait()
        try err.seek(toOffset: 0)
        let messages = String(decoding: try err.readToEnd() ?? Data(), as: UTF8.self)
        let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Binary.Result(code: code, out: output, err: messages)
    }
}

/// The `sluice` executable that the build made.
enum Binary {
    /// Its path: it is in the same folder as the test executable.
    static let path: String = {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "sluice").path
    }()

    /// The exit code and the output of a finished process.
    struct Result: Equatable {
        var code: Int32
        var out: String
        var err: String

        /// Whether the output has no control characters except tabs and line breaks.
        var isPlain: Bool { !(out + err).unicodeScalars.contains { $0 != "\n" && $0 != "\t" && $0.value < 0x20 } }

        /// Expects an exit code, and texts in the output and the messages.
        @discardableResult
        func expect(
            _ code: Int32 = 0, out texts: String..., err messages: String...,
            location: SourceLocation = #_sourceLocation
        ) -> Result {
            #expect(self.code == code, "\(self)", sourceLocation: location)
            for text in texts { #expect(out.contains(text), "\(self)", sourceLocation: location) }
            for text in messages { #expect(err.contains(text), "\(self)", sourceLocation: location) }
            return self
        }

        @discardableResult func require(location: SourceLocation = #_sourceLocation) throws -> Result {
            try #require(code == 0, "\(self)", sourceLocation: location)
            return self
        }
    }

    /// Runs the command until it exits.
    static func run(_ arguments: [String], folder: URL? = nil) throws -> Result {
        try Running(arguments, folder: folder).end()
    }

    /// Runs a line of shell in which `sluice` is the command, so that a test can set limits, pipes and folders.
    static func shell(_ line: String, environment: [String: String] = [:], folder: URL? = nil) throws -> Result {
        let arguments = ["-c", "sluice() { '\(path)' \"$@\"; }; \(line)"]
        return try Running(arguments, program: "/bin/sh", environment: environment, folder: folder).end()
    }
}

/// A process, as `/proc` describes it.
struct ChildProcess {
    let number: Int32
    /// `Z` for a process that has exited, but whose parent has not noticed it.
    let state: String
    private let parent: Int32

    /// Looks up a process; `nil` if it has exited.
    init?(_ number: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return nil }
        let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard words.count > 2, let parent = Int32(words[2]) else { return nil }
        (self.number, self.state, self.parent) = (number, String(words[1]), parent)
    }

    /// The processes that a process has started.
    static func all(of parent: Int32) -> [ChildProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap { ChildProcess($0) }.filter { $0.parent == parent }
    }
}

/// Makes system calls of the command fail through strace, which counts the calls of each thread separately.
enum Strace {
    /// Whether strace is installed and permitted to trace.
    static let isPermitted = (try? Running(["-o", "/dev/null", "true"], program: path).end().code) == 0

    private static let path = "/usr/bin/strace"

    /// Runs the command until it exits; in each thread, the calls numbered by `when` fail with the error.
    ///
    /// With a `path`, only calls for that file count.
    static func run(
        _ arguments: [String], failing call: String, with error: String, when: String, on path: String? = nil,
        environment: [String: String] = [:], folder: URL? = nil
    ) throws -> Binary.Result {
        // Only the named call stops for strace; all others run at full speed.
        try run(
            arguments, injecting: "error=\(error)", into: call, when: when,
            more: ["--seccomp-bpf"] + (path.map { ["-P", $0] } ?? []),
            environment: environment, folder: folder)
    }

    /// Runs the command until it exits or is killed; the calls numbered by `when` kill it before they begin.
    static func run(
        _ arguments: [String], killingAt call: String, when: String, folder: URL? = nil
    ) throws -> Binary.Result {
        // With --seccomp-bpf, strace sends no signals.
        try run(arguments, injecting: "signal=SIGKILL", into: call, when: when, folder: folder)
    }

    private static func run(
        _ arguments: [String], injecting fault: String, into call: String, when: String, more: [String] = [],
        environment: [String: String] = [:], folder: URL? = nil
    ) throws -> Binary.Result {
        let injection = ["-e", "trace=\(call)", "-e", "inject=\(call):\(fault):when=\(when)"]
        let options = ["-f"] + more + ["-qq", "-o", "/dev/null"]
        return try Running(
            options + injection + [Binary.path] + arguments, program: path, environment: environment, folder: folder
        ).end()
    }
}

/// A library that is built for a test and loaded before the real ones.
struct PreloadedLibrary {
    private let folder = TemporaryFolder()
    private var library: String { folder.path("preloaded.so") }

    /// Builds the library from a source file in `Tests/EndToEnd`.
    init(_ source: String) throws {
        #if os(Linux)
            let tests = URL(filePath: #filePath).deletingLastPathComponent()
            let file = tests.appending(path: source).path
            let words = ["cc", "-shared", "-fPIC", "-O1", "-w", "-o", folder.path("preloaded.so"), file, "-ldl"]
            let made = try Running(words, program: "/usr/bin/env").end()
            guard made.code == 0 else { throw CocoaError(.executableLoad) }
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }

    /// The environment variables that load it into a command.
    var environment: [String: String] { ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"] }
}

// SPDX-License-Identifier: MIT

import Foundation
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
    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

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

    /// The process identifier.
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

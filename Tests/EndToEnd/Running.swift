// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A program under way, whose standard output is read line by line, so that a test acts at a known moment of its run.
final class Running {
    private let process = Process()
    private let out = Pipe()
    private let err: FileHandle
    private let ended = DispatchSemaphore(value: 0)
    private var said = ""

    /// Starts the command, or another program; its standard error goes to a file, which never holds it up.
    init(_ arguments: [String], program: String = Binary.path, environment: [String: String] = [:], folder: URL? = nil)
        throws
    {
        try #require(FileManager.default.isExecutableFile(atPath: program), "there is no \(program)")
        let words = FileManager.default.temporaryDirectory.appending(path: "sluice-words-\(UUID().uuidString)")
        try Data().write(to: words)
        err = try FileHandle(forUpdating: words)
        try FileManager.default.removeItem(at: words)
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        process.currentDirectoryURL = folder ?? FileManager.default.temporaryDirectory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = out
        process.standardError = err
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    /// Never leaves a process behind, not even one that was stopped.
    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Makes the pipe of standard output hold as little as it can: whoever writes to it waits for its reader.
    func narrowOutput() {
        #if os(Linux)
            _ = fcntl(out.fileHandleForReading.fileDescriptor, 1031, 4096)  // F_SETPIPE_SZ
        #endif
    }

    /// The next line of standard output; nothing behind its end is read yet.
    func line() throws -> String? {
        var line = Data()
        var byte: UInt8 = 0
        // Not through Foundation, which is slow enough at single bytes for a run to end meanwhile.
        while unsafe read(out.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard !line.isEmpty else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        said += text + "\n"
        return text
    }

    /// Reads events until so many of a name have come.
    @discardableResult func wait(for name: String, count: Int = 1) throws -> [RunEvent] {
        var events: [RunEvent] = []
        while events.count(where: { $0.name == name }) < count {
            let line = try #require(try line(), "the run ended before \(count) \(name)")
            events.append(try RunEvent(line))
        }
        return events
    }

    /// The process's number.
    var identifier: Int32 { process.processIdentifier }

    /// Sends it a signal.
    func send(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Stops it, and waits until none of its threads runs any more; it goes on at SIGCONT.
    func stop() {
        send(SIGSTOP)
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process.processIdentifier), &info, WSTOPPED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Waits for its end; a signal that killed it is a negative code.
    func end() throws -> Binary.Result {
        said += String(decoding: try out.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return try endUnread()
    }

    /// Waits for its end without reading what else it writes.
    func endUnread() throws -> Binary.Result {
        ended.wait()
        try err.seek(toOffset: 0)
        let words = String(decoding: try err.readToEnd() ?? Data(), as: UTF8.self)
        let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Binary.Result(code: code, out: said, err: words)
    }
}

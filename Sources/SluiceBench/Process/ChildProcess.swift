// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A helper process that answers requests line by line.
///
/// It ends when its standard input ends, so it never outlives its parent process, even if the parent is killed.
final class ChildProcess {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let name: String
    private var received: [UInt8] = []

    /// Starts the program with these arguments.
    init(_ executable: String, _ arguments: [String]) throws(BenchError) {
        name = arguments.last ?? executable
        let toChild = try Self.pipe()
        let fromChild = try Self.pipe()
        let (code, process) = Self.spawn(executable, arguments, input: toChild.reader, output: fromChild.writer)
        close(toChild.reader)
        close(fromChild.writer)
        guard code == 0 else {
            close(toChild.writer)
            close(fromChild.reader)
            throw BenchError(.local, "cannot start '\(executable)': \(unsafe String(cString: strerror(code)))")
        }
        self.process = process
        input = toChild.writer
        output = fromChild.reader
    }

    // Closing standard input ends the process.
    deinit {
        close(input)
        close(output)
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
    }

    /// The interval at which a wait for a line checks whether to go on, in milliseconds.
    private static let checkInterval: Int32 = 100

    /// Sends a line and waits for the reply; `nil` if `shouldContinue` returns `false` before it arrives.
    func request(_ line: [UInt8], while shouldContinue: () -> Bool) throws(BenchError) -> [UInt8]? {
        guard unsafe (line + [UInt8(ascii: "\n")]).withUnsafeBytes({ unsafe Self.writeAll($0, to: input) }) else {
            throw BenchError(.broken, "cannot use the helper process '\(name)': it ended early")
        }
        return try nextLine(while: shouldContinue)
    }

    private func nextLine(while shouldContinue: () -> Bool) throws(BenchError) -> [UInt8]? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                return line
            }
            guard shouldContinue() else { return nil }
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wanted, 1, Self.checkInterval) != 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw BenchError(.broken, "cannot use the helper process '\(name)': it ended without a result")
            }
            received += buffer[..<count]
        }
    }

    /// Creates a pipe that no other child inherits; otherwise this child would never see it closed.
    private static func pipe() throws(BenchError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe SluiceSystem.pipe(&ends) == 0 else {
            throw BenchError(.local, "cannot create a pipe: \(unsafe String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ executable: String, _ arguments: [String], input: Int32, output: Int32
    ) -> (code: Int32, process: pid_t) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        var strings = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe strings.forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, executable, &actions, nil, &strings, environ)
        return (code, process)
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let count = unsafe write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            unsafe rest = rest.dropFirst(count)
        }
        return true
    }
}

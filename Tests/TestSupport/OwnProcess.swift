// SPDX-License-Identifier: MIT

public import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Facts about the test process: its open files, connections and memory.
public enum OwnProcess {
    /// Raises the limit of open files to the maximum: many transfers and their servers share this process.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }

    /// The number of open files below `folder`; `nil` where the system does not report it.
    public static func openFiles(below folder: String) -> Int? {
        let place = "/proc/self/fd"
        guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: place) else { return nil }
        return numbers.count { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/\(number)"))?.hasPrefix(folder)
                == true
        }
    }

    /// The number of connections to a local port that their clients hold open; `nil` where the system does not report
    /// it.
    public static func connections(to port: UInt16) -> Int? {
        // `String(contentsOfFile:)` would return only the first page of the file.
        guard let file = FileHandle(forReadingAtPath: "/proc/net/tcp"), let bytes = try? file.readToEnd() else {
            return nil
        }
        let table = String(decoding: bytes, as: UTF8.self)
        let hex = String(port, radix: 16, uppercase: true)
        let place = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        // SYN_SENT, ESTABLISHED and CLOSE_WAIT (closed by the server only).
        let open = ["02", "01", "08"]
        return table.split(separator: "\n").dropFirst().count { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[2].hasSuffix(place) && open.contains(String(words[3]))
        }
    }

    /// The resident memory of this process in bytes; `nil` where the system does not report it.
    public static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }
}

/// A small file system in memory (tmpfs); only root can mount one.
public final class SmallDisk: Sendable {
    private let folder = TemporaryFolder()

    /// The mount point.
    public var path: String { folder.path }

    /// Whether this process may mount one.
    public static let isPermitted = (try? SmallDisk(kilobytes: 64)) != nil

    /// Mounts an empty file system.
    public init(kilobytes: Int, inodes: Int? = nil) throws {
        let options = "size=\(kilobytes)k" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
        try Self.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder.path])
    }

    deinit { try? Self.run("umount", ["--lazy", folder.path]) }

    /// Remounts the file system with other options, for example `ro` or `size=128k`.
    public func remount(_ options: String) throws {
        try Self.run("mount", ["-o", "remount,\(options)", folder.path])
    }

    /// Unmounts the file system from its path; open files stay usable.
    public func unmount() throws { try Self.run("umount", ["--lazy", folder.path]) }

    private static func run(_ tool: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}

/// Computes a SHA-256 with the system's `sha256sum`, independently of the code under test.
public func sha256(_ bytes: [UInt8]) -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sha256sum"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    do {
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text.prefix(64), as: UTF8.self)
    } catch {
        return "\(error)"
    }
}

/// Optional test data in a folder next to the checkout, which only maintainers have.
public enum SharedData {
    /// The folder `../shared`, if it exists.
    public static var folder: URL? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let shared = root.deletingLastPathComponent().appending(path: "shared")
        return FileManager.default.fileExists(atPath: shared.appending(path: "images").path) ? shared : nil
    }

    /// Whether the folder exists; a condition for `.enabled(if:)`.
    public static var isThere: Bool { folder != nil }
}

/// Tests that take minutes: soaks, and interruptions and kills at many moments.
public enum LongTests {
    /// Whether they run, as in CI's part "kills".
    public static let areWanted = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"] == "1"

    /// How to run them.
    public static let advice = "SLUICE_LONG_TESTS=1 runs it"
}

// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What a process has in memory, by the system's word.
public struct ProcessMemory: Sendable, Hashable {
    /// The process's number.
    public let process: Int32
    /// How many bytes it has now.
    public let resident: Int
    /// The most that it ever had.
    public let peak: Int
    /// How many of those that it has now are pages of files: the program's own, which all that run it share.
    public let ofFiles: Int

    /// Describes what a process has.
    public init(process: Int32, resident: Int, peak: Int, ofFiles: Int) {
        (self.process, self.resident, self.peak, self.ofFiles) = (process, resident, peak, ofFiles)
    }

    /// Asks the system; `nil` where it does not tell, and for a process that is no more.
    public init?(of process: Int32) {
        guard let lines = Self.status(of: process) else { return nil }
        func bytes(_ name: String) -> Int? {
            let line = lines.first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
                .map { $0 << 10 }
        }
        guard let peak = bytes("VmHWM:"), let resident = bytes("VmRSS:") else { return nil }
        self.init(process: process, resident: resident, peak: peak, ofFiles: bytes("RssFile:") ?? 0)
    }

    /// This process's; where the system tells its peak alone, it counts as what it has now.
    public static var own: ProcessMemory {
        if let memory = ProcessMemory(of: getpid()) { return memory }
        let peak = OwnCost.peakMemory
        return ProcessMemory(process: getpid(), resident: peak, peak: peak, ofFiles: 0)
    }

    private static func status(of process: Int32) -> [Substring]? {
        let descriptor = unsafe open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    }
}

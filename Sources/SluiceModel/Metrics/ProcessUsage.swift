// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The CPU time and memory that this process has used since it started.
package enum ProcessUsage {
    /// The CPU time of all threads in seconds, user and system time together.
    package static var cpu: Double {
        let usage = usage()
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The CPU time of another process in seconds; `nil` if it has ended or the system does not report it.
    package static func cpu(of process: Int32) -> Double? {
        // The name in parentheses may contain anything; the third field follows it.
        guard let bytes = SystemFile.bytes(of: "/proc/\(process)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = bytes[end...].split(separator: UInt8(ascii: " ")).dropFirst()
        let times = fields.dropFirst(11).prefix(2).map { Double($0.firstNumber) }
        return times.count == 2 ? (times[0] + times[1]) / Double(sysconf(Int32(_SC_CLK_TCK))) : nil
    }

    /// The peak resident memory in bytes.
    package static var peakMemory: Int {
        #if canImport(Darwin)
            usage().ru_maxrss
        #else
            // The value of getrusage() includes the memory of the parent process before the exec.
            ProcessMemory(of: getpid())?.peak ?? usage().ru_maxrss << 10
        #endif
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }

    private static func usage() -> rusage {
        var usage = rusage()
        #if canImport(Darwin)
            unsafe getrusage(RUSAGE_SELF, &usage)
        #else
            unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return usage
    }
}

/// A process's memory usage, as reported by the system.
package struct ProcessMemory: Sendable, Hashable {
    package let process: Int32
    /// The resident memory in bytes.
    package let resident: Int
    /// The peak resident memory in bytes.
    package let peak: Int
    /// The resident file-backed memory in bytes: mostly the executable, shared by all processes that run it.
    package let ofFiles: Int

    package init(process: Int32, resident: Int, peak: Int, ofFiles: Int) {
        (self.process, self.resident, self.peak, self.ofFiles) = (process, resident, peak, ofFiles)
    }

    /// Reads the values of a process; returns `nil` if the process has ended or the system does not report them.
    package init?(of process: Int32) {
        guard let lines = SystemFile.bytes(of: "/proc/\(process)/status")?.split(separator: UInt8(ascii: "\n")) else {
            return nil
        }
        func bytes(_ name: String) -> Int? {
            lines.first { $0.starts(with: name.utf8) }.map { $0.firstNumber << 10 }
        }
        guard let peak = bytes("VmHWM:"), let resident = bytes("VmRSS:") else { return nil }
        self.init(process: process, resident: resident, peak: peak, ofFiles: bytes("RssFile:") ?? 0)
    }

    /// The usage of this process; where the system reports only the peak, that is also the current value.
    package static var own: ProcessMemory {
        if let memory = ProcessMemory(of: getpid()) { return memory }
        let peak = ProcessUsage.peakMemory
        return ProcessMemory(process: getpid(), resident: peak, peak: peak, ofFiles: 0)
    }
}

/// A short file of `/proc`.
private enum SystemFile {
    /// The first 8 KB of the file; `nil` if it cannot be read.
    ///
    /// Bytes, because to split a text into characters takes longer than the system needs for the file.
    static func bytes(of path: String) -> ArraySlice<UInt8>? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count) : nil
    }
}

extension ArraySlice<UInt8> {
    /// The first whole number in the text; 0 if there is none.
    fileprivate var firstNumber: Int {
        drop { !$0.isDigit }.prefix { $0.isDigit }.reduce(0) { $0 &* 10 &+ Int($1 - UInt8(ascii: "0")) }
    }
}

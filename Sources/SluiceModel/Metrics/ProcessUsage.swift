// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The CPU time and memory that this process has used since it started.
public enum ProcessUsage {
    /// The CPU time of all threads in seconds, user and system time together.
    public static var cpu: Double {
        let usage = usage()
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The peak resident memory in bytes.
    public static var peakMemory: Int {
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

// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What this process has taken of the machine since it began.
public enum OwnCost {
    /// The processors' seconds of all its threads, in its own code and in the system's.
    public static var cpu: Double {
        let usage = usage()
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The most bytes that it had in memory at once.
    public static var peakMemory: Int {
        #if canImport(Darwin)
            usage().ru_maxrss
        #else
            // What getrusage() tells begins with the memory of the process that this one was started by.
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

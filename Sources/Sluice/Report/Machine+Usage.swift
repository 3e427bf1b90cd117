// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Machine {
    /// What this process has used so far: time of all cores in seconds, and the most memory at once in bytes.
    static var usage: (cpu: Double, peakMemory: Int) {
        var usage = rusage()
        #if canImport(Darwin)
            _ = unsafe getrusage(RUSAGE_SELF, &usage)
            let unit = 1
        #else
            _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            let unit = 1024
        #endif
        let cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        return (cpu, Int(usage.ru_maxrss) * unit)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}

// SPDX-License-Identifier: MIT

internal import SluiceTransfer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the machine tells of itself.
enum Machine {
    /// How many cores this process may use.
    static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Throws where the system lets this process have too few threads: Dispatch would wait for them without a word.
    static func checkThreads() throws(MirrorError) {
        let least = cores + 8
        guard !OwnThread.areLeft(least) else { return }
        throw MirrorError(
            .local, "this system lets the process have fewer than \(least) threads more: see `ulimit -u`, `-v` and `-d`"
        )
    }

    /// The wall clock, for stamps alone: it jumps.
    static var secondsSince1970: Int { time(nil) }

    /// The day in UTC, as `2026-01-31`.
    static func day(of seconds: Int) -> String {
        parts(of: seconds).map { $0[..<3].joined(separator: "-") } ?? "no date"
    }

    /// The minute in UTC, as `2026-01-31 12:00 UTC`.
    static func minute(of seconds: Int) -> String {
        parts(of: seconds).map { "\(day(of: seconds)) \($0[3...].joined(separator: ":")) UTC" } ?? "no date"
    }

    /// Year, month, day, hour and minute, each with two digits at least.
    private static func parts(of seconds: Int) -> [String]? {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&moment, &parts) != nil else { return nil }
        let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
        let clock = unsafe [Int(parts.tm_hour), Int(parts.tm_min)]
        return (date + clock).map { $0 < 10 ? "0\($0)" : "\($0)" }
    }
}

// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Who holds a folder's lock, as the holder itself has written it there.
public struct LockHolder: Sendable, Hashable, CustomStringConvertible {
    /// The process's number.
    public var process: Int
    /// When it took the lock, in seconds since 1970.
    public var since: Int

    /// `process 123, since 2026-01-31T12:00:00Z`.
    public var description: String { "process \(process), since \(Self.stamp(since))" }

    static var current: LockHolder { LockHolder(process: Int(getpid()), since: time(nil)) }

    init(process: Int, since: Int) {
        self.process = process
        self.since = since
    }

    /// Reads what a holder wrote; `nil` if it has not come to that yet, or if something else stands there.
    init?(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let process = Int(words[0]), let since = Int(words[1]) else { return nil }
        self.init(process: process, since: since)
    }

    var text: String { "\(process) \(since)\n" }

    private static func stamp(_ seconds: Int) -> String {
        var seconds = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "\(seconds)" }
        let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map(twoDigits)
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { twoDigits(Int($0)) }
        return "\(date.joined(separator: "-"))T\(clock.joined(separator: ":"))Z"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

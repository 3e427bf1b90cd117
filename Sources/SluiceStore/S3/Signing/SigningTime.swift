// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The time of a signature, in the format of AWS: `20130524T000000Z`.
struct SigningTime: Sendable {
    let text: String
    /// The date alone: `20130524`.
    var date: String { String(text.prefix(8)) }

    /// The current time.
    static var now: SigningTime { SigningTime(secondsSince1970: secondsNow()) }

    /// The current time in seconds since 1970.
    static let secondsNow: @Sendable () -> Int = { Int(time(nil)) }

    init(secondsSince1970: Int) {
        var moment = time_t(secondsSince1970)
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&moment, &parts)
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        func joined(_ numbers: [Int32]) -> String { numbers.map { String($0).zeroPadded(to: 2) }.joined() }
        text = "\(joined(date))T\(joined(clock))Z"
    }
}

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
        text = UTCTime(secondsSince1970: secondsSince1970).compactText
    }
}

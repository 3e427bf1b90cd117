// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Whether the clock can be right: with a wrong one every certificate is refused.
enum ClockCheck {
    /// No Sluice of this version is in use that long after it was made.
    static let horizon = 30 * 365 * 86_400

    @Sendable static func findings() -> [Finding] { [finding(now: Int(time(nil)))] }

    static func finding(now: Int) -> Finding {
        let advice = "set it (`timedatectl set-ntp true`): with a wrong clock every https address is refused"
        let date = Machine.day(of: now)
        if now < Version.epoch {
            return Finding("clock", .problem, "shows \(date), before this Sluice was made", advice: advice)
        }
        if now - Version.epoch > horizon {
            return Finding("clock", .problem, "shows \(date), which is far in the future", advice: advice)
        }
        return Finding("clock", .ok, "shows \(date)")
    }
}

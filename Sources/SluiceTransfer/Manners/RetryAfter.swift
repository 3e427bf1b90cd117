// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Reads a `Retry-After`: seconds or a date; `nil` for what is neither.
///
/// A number too large to count means "never", which the policy then refuses to wait for.
func retryAfter(_ text: String?, now: time_t = time(nil)) -> Duration? {
    guard let text, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
        return .seconds(Int(text).map { min($0, 1 << 32) } ?? 1 << 32)
    }
    return readDate(text).map { .seconds(max(0, $0 - now)) }
}

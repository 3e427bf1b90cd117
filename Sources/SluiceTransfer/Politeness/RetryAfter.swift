// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Parses a `Retry-After` header: seconds or a date; `nil` for anything else.
///
/// Numbers above 2^32 become 2^32 seconds, which no policy waits for.
func parseRetryAfter(_ text: String?, now: time_t = time(nil)) -> Duration? {
    guard let text, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
        return .seconds(Int(text).map { min($0, 1 << 32) } ?? 1 << 32)
    }
    return parseHTTPDate(text).map { .seconds(max(0, $0 - now)) }
}

/// Parses an HTTP date, in seconds since 1970; `nil` if the text is not a date.
package func parseHTTPDate(_ text: String) -> Int? {
    let date = unsafe curl_getdate(text, nil)
    return date < 0 ? nil : Int(date)
}

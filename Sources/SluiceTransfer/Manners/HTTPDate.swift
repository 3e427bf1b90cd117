// SPDX-License-Identifier: MIT

internal import CCurl

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The time that a header's date names, in seconds since 1970; `nil` for what is no date.
public func readDate(_ text: String) -> Int? {
    let date = unsafe curl_getdate(text, nil)
    return date < 0 ? nil : Int(date)
}

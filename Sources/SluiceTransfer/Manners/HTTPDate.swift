// SPDX-License-Identifier: MIT

internal import CCurl

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The time that a header's date names; `nil` for what is no date.
func readDate(_ text: String) -> time_t? {
    let date = unsafe curl_getdate(text, nil)
    return date < 0 ? nil : date
}

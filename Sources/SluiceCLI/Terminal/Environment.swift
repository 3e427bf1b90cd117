// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the environment's variables say of the terminal.
struct Environment: Sendable {
    /// NO_COLOR is set, and not to nothing (https://no-color.org).
    var forbidsColor = false
    /// The terminal moves its cursor: TERM is set and not `dumb`.
    var canRedraw = false
    /// The locale's characters are UTF-8.
    var isUnicode = false

    static func ofProcess() -> Environment {
        let terminal = variable("TERM") ?? "dumb"
        let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
        let charset = locale.lowercased()
        return Environment(
            forbidsColor: variable("NO_COLOR") != nil, canRedraw: terminal != "dumb",
            isUnicode: charset.hasSuffix("utf-8") || charset.hasSuffix("utf8"))
    }

    /// A variable's text; `nil` if it is not set or empty.
    private static func variable(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        let value = unsafe String(cString: text)
        return value.isEmpty ? nil : value
    }
}

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
    /// The user's folder for programs' settings: XDG_CONFIG_HOME, or `.config` in HOME.
    var settingsFolder: String?
    /// The variables that may set options, in the order of their names.
    var settings: [Variable] = []

    /// A variable that is set, and not to nothing.
    struct Variable: Sendable, Hashable {
        var name: String
        var text: String
    }

    /// What the names of variables begin with that set options.
    static let prefix = "SLUICE_"

    static func ofProcess() -> Environment {
        let terminal = variable("TERM") ?? "dumb"
        let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
        let charset = locale.lowercased()
        return Environment(
            forbidsColor: variable("NO_COLOR") != nil, canRedraw: terminal != "dumb",
            isUnicode: charset.hasSuffix("utf-8") || charset.hasSuffix("utf8"),
            settingsFolder: variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" },
            settings: variables(from: prefix))
    }

    /// The variables whose names begin so; one that is no UTF-8 sets nothing.
    private static func variables(from prefix: String) -> [Variable] {
        var found: [Variable] = []
        #if canImport(Darwin)
            var next = unsafe _NSGetEnviron().pointee
        #else
            var next = unsafe environ
        #endif
        while let entry = unsafe next.pointee {
            let parts = unsafe String(validatingCString: entry)?.split(separator: "=", maxSplits: 1) ?? []
            if parts.count == 2, parts[0].hasPrefix(prefix) {
                found.append(Variable(name: String(parts[0]), text: String(parts[1])))
            }
            unsafe next += 1
        }
        return found.sorted { $0.name < $1.name }
    }

    /// A variable's text; `nil` if it is not set or empty.
    private static func variable(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        let value = unsafe String(cString: text)
        return value.isEmpty ? nil : value
    }
}

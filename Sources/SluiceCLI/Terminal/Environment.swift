// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The environment variables that Sluice reads.
struct Environment: Sendable {
    /// Whether NO_COLOR is set and not empty (https://no-color.org).
    var forbidsColor = false
    /// Whether the terminal can move its cursor: TERM is set and not `dumb`.
    var canRedraw = false
    /// Whether the locale uses UTF-8.
    var isUnicode = false
    /// The user's configuration folder: XDG_CONFIG_HOME, or `.config` in HOME.
    var settingsFolder: String?
    /// The variables that may set options, sorted by name.
    var settings: [Variable] = []
    /// The user's program for reading long texts.
    var pager: String?

    /// A variable that is set and not empty.
    struct Variable: Sendable, Hashable {
        var name: String
        var text: String
    }

    /// The variable in which a scheduler numbers the tasks of an array, if there is one.
    var task: Variable?
    /// The variables of schedulers, in order of precedence.
    private static let taskVariables = [
        "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", taskFromOne,
    ]
    /// The variable of a scheduler whose first task is 1 and not 0.
    static let taskFromOne = "PARALLEL_SEQ"

    /// The prefix of variables that set options.
    static let prefix = "SLUICE_"

    static func ofProcess() -> Environment {
        let terminal = variable("TERM") ?? "dumb"
        let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
        let charset = locale.lowercased()
        return Environment(
            forbidsColor: variable("NO_COLOR") != nil, canRedraw: terminal != "dumb",
            isUnicode: charset.hasSuffix("utf-8") || charset.hasSuffix("utf8"),
            settingsFolder: variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" },
            settings: variables(withPrefix: prefix), pager: variable("PAGER"),
            task: taskVariables.lazy.compactMap { name in
                variable(name).map { Variable(name: name, text: $0) }
            }.first)
    }

    /// Returns the variables whose names start with `prefix`; invalid UTF-8 is ignored.
    private static func variables(withPrefix prefix: String) -> [Variable] {
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

    /// Returns the value of a variable; `nil` if it is not set or empty.
    private static func variable(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        let value = unsafe String(cString: text)
        return value.isEmpty ? nil : value
    }
}

/// Returns the path of this program, so that it can start itself.
func executablePath() -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    #if canImport(Darwin)
        var count = UInt32(bytes.count)
        unsafe _NSGetExecutablePath(&bytes, &count)
    #else
        // The link refers to the running file, even if another file has taken its name.
        _ = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
    #endif
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

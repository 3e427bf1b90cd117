// SPDX-License-Identifier: MIT

internal import SluiceFiles

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Whether the current folder takes files as a mirror writes them, and has room for them.
enum DiskCheck {
    /// Less free space than this is worth a warning.
    static let comfortable = 1 << 30
    /// With less free space than this hardly a mirror fits.
    static let least = 64 << 20

    @Sendable static func findings() -> [Finding] { findings(in: ".") }

    static func findings(in folder: String) -> [Finding] { [writing(in: folder), space(in: folder)] }

    /// Goes the way of every file of a mirror: made under another name, flushed, renamed; and then removed.
    private static func writing(in path: String) -> Finding {
        let name = ".sluice-doctor-\(getpid())"
        do {
            let folder = try Folder(path)
            try folder.write(Array("sluice".utf8), to: name)
            try folder.remove(name)
            return Finding("current folder", .ok, "can be written")
        } catch {
            return Finding(
                "current folder", .problem, "cannot be written: \(error.reason)",
                advice: "run in a folder of your own, or give one with --out")
        }
    }

    private static func space(in path: String) -> Finding {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else {
            return Finding("free space", .warning, "the system does not tell")
        }
        let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
        return space(free: overflow ? .max : bytes)
    }

    static func space(free bytes: Int) -> Finding {
        let detail = "\(bytes / 1_000_000) MB free in the current folder"
        let advice = "free some, or give a folder on another disk with --out"
        if bytes < least { return Finding("free space", .problem, detail, advice: advice) }
        if bytes < comfortable { return Finding("free space", .warning, detail, advice: advice) }
        return Finding("free space", .ok, detail)
    }
}

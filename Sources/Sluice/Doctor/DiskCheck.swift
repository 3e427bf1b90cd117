// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// Whether the current folder takes files as a mirror writes them, and has room for them.
enum DiskCheck {
    /// Less free space than this is worth a warning.
    static let comfortable = 1 << 30
    /// With less free space than this hardly a mirror fits.
    static let least = 64 << 20

    @Sendable static func findings() -> [Finding] { findings(in: ".") }

    static func findings(in path: String) -> [Finding] {
        do {
            let folder = try Folder(path)
            try folder.checkWritable()
            return [Finding("current folder", .ok, "can be written"), space(free: try folder.freeBytes())]
        } catch {
            return [
                Finding(
                    "current folder", .problem, "cannot be written: \(error.reason)",
                    advice: "run in a folder of your own, or give one with --out")
            ]
        }
    }

    static func space(free bytes: Int) -> Finding {
        let detail = "\(bytes / 1_000_000) MB free in the current folder"
        let advice = "free some, or give a folder on another disk with --out"
        if bytes < least { return Finding("free space", .problem, detail, advice: advice) }
        if bytes < comfortable { return Finding("free space", .warning, detail, advice: advice) }
        return Finding("free space", .ok, detail)
    }
}

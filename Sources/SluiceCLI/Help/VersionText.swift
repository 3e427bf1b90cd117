// SPDX-License-Identifier: MIT

internal import Sluice

/// Sluice's version on the first line, then that of each C library.
func versionText() -> String {
    let libraries = Version.libraries.map { "\($0.name) \($0.version)\n" }
    return "sluice \(Version.number)\n" + libraries.joined()
}

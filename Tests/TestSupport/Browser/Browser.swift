// SPDX-License-Identifier: MIT

internal import Foundation

/// The installed Chromium and its driver; `Scripts/setup --browser` installs them.
public enum Browser {
    /// The path of chromedriver, or `nil` if it is not installed.
    public static let driver: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/chromedriver" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Whether a missing browser fails the tests, as in CI, instead of skipping them.
    public static let isRequired = ProcessInfo.processInfo.environment["SLUICE_REQUIRE_BROWSER"] == "1"

    /// The path of axe-core's script, which `Scripts/setup --browser` downloads.
    public static let axe = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.build/browser/axe.min.js").standardized.path

    /// Whether tests that need axe-core run.
    public static let axeIsWanted = isRequired || FileManager.default.fileExists(atPath: axe)

    /// Whether tests that need a browser run.
    public static let isWanted = driver != nil || isRequired
}

/// A failure of the browser or its driver.
public struct BrowserError: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String
}

// SPDX-License-Identifier: MIT

internal import Foundation

/// Chromium and its driver, as they are installed; set up by `Scripts/setup --browser`.
public enum Browser {
    /// Where the driver is, if it is anywhere.
    public static let driver: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/chromedriver" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Whether a missing browser is a failure, as in CI, and not a reason to skip.
    public static let isRequired = ProcessInfo.processInfo.environment["SLUICE_REQUIRE_BROWSER"] == "1"

    /// Where `Scripts/setup --browser` puts axe-core's script, which is no part of Sluice.
    public static let axe = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.build/browser/axe.min.js").standardized.path

    /// Whether tests that need axe-core run.
    public static let axeIsWanted = isRequired || FileManager.default.fileExists(atPath: axe)

    /// Whether tests that need a browser run.
    public static let isWanted = driver != nil || isRequired
}

/// What went wrong between a test and its browser.
public struct BrowserError: Error, CustomStringConvertible {
    /// In one sentence.
    public let description: String
}

// SPDX-License-Identifier: MIT

internal import Foundation

/// Packages of PyPI with which tests compare Sluice's files; `Scripts/setup --tests` installs them.
public enum PythonPackages {
    /// Whether a missing package fails the tests, as in CI, instead of skipping them.
    private static let isRequired = ProcessInfo.processInfo.environment["SLUICE_REQUIRE_PYTHON"] == "1"

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/python").standardized.path

    /// Whether tests that need pyarrow and DuckDB run.
    public static let hasParquet =
        isRequired
        || ["pyarrow", "duckdb"].allSatisfy { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }

    /// Runs a Python script and returns its output; throws if it fails.
    public static func run(_ script: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "300", "python3", "-c", script] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": folder]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PythonError(message: text) }
        return text
    }
}

/// A Python script failed.
public struct PythonError: Error, CustomStringConvertible {
    let message: String

    /// The script's output.
    public var description: String { message }
}

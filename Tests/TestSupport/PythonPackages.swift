// SPDX-License-Identifier: MIT

public import Foundation

/// Packages of PyPI with which tests compare Sluice's files; `Scripts/setup --tests` installs them.
public enum PythonPackages {
    /// Whether a missing package fails the tests, as in CI, instead of skipping them.
    private static let isRequired = ProcessInfo.processInfo.environment["SLUICE_REQUIRE_PYTHON"] == "1"

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/python").standardized.path

    /// Whether tests that need other readers and writers of Parquet files run.
    public static let hasParquet = has(["pyarrow", "duckdb", "polars", "fastparquet"])
    /// Whether tests that read datasets run.
    public static let hasDatasets = has(["pyarrow", "duckdb", "datasets", "webdataset", "PIL"])
    /// Whether tests that read buckets with boto3 run.
    public static let hasBoto = has(["boto3", "awscrt"])
    /// Whether tests that compare feeds with feedparser run.
    public static let hasFeedparser = has(["feedparser"])

    /// Whether tests that read WARC files run.
    public static let hasArchives = has(["warcio", "cdxj_indexer"])

    /// Whether tests that replay web archives run; their packages are in a folder of their own.
    public static let hasReplay = hasArchives && (isRequired || exists("\(folder)-replay/pywb"))

    /// Whether tests with the hostile server run, which reads the headers of HTTP/2.
    public static let hasHPACK = has(["hpack"])

    private static func has(_ packages: [String]) -> Bool {
        isRequired || packages.allSatisfy { exists("\(folder)/\($0)") }
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Runs a Python script with the packages that replay web archives in a folder, and returns its output; throws if
    /// it fails.
    public static func runReplay(_ script: String, _ arguments: [String], in home: URL) throws -> String {
        try run(script, arguments, environment: ["PYTHONPATH": "\(folder)-replay"], folder: home)
    }

    /// Runs a Python script in a folder and returns its output; throws if it fails.
    ///
    /// The packages of Hugging Face get no network, and their caches are in the folder.
    public static func run(_ script: String, _ arguments: [String] = [], in home: URL) throws -> String {
        let offline = [
            "HF_HOME": home.appending(path: ".hf").path, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1",
            "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
        ]
        return try run(script, arguments, environment: offline, folder: home)
    }

    /// Runs a Python script and returns its output; throws if it fails.
    public static func run(_ script: String, _ arguments: [String]) throws -> String {
        try run(script, arguments, environment: [:], folder: FileManager.default.temporaryDirectory)
    }

    private static func run(
        _ script: String, _ arguments: [String], environment: [String: String], folder home: URL
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "300", "python3", "-c", script] + arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["PYTHONPATH": folder]) { $1 }.merging(environment) { $1 }
        process.currentDirectoryURL = home
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

// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceModel

@testable import SluiceCLI

/// Sample events for the tests of this module.
enum Samples {
    static func item(_ seq: Int, page: Int = 1, id: String? = nil) -> Item {
        Item(seq: seq, feed: "demo", page: page, photo: Photo(id: id ?? "p\(seq)"))
    }

    static func done(bytes: Int = 100_000, isReused: Bool = false) -> ItemOutcome {
        var receipt = Receipt(.done)
        receipt.bytesReceived = isReused ? nil : bytes
        receipt.original = StoredFile(path: "originals/p1.jpg", bytes: bytes, sha256: String(repeating: "a", count: 64))
        receipt.thumbs = [
            Thumb(
                size: "256", width: 256, height: 171, format: "jpeg",
                file: StoredFile(path: "thumbs/256/p1.jpg", bytes: 8000, sha256: String(repeating: "b", count: 64)))
        ]
        return .done(receipt)
    }

    static func salvaged(_ cause: Cause, _ detail: String) -> ItemOutcome {
        var receipt = done().receipt
        receipt.failure = Failure(cause, detail)
        return .done(receipt)
    }

    static func failed(_ cause: Cause, _ detail: String = "") -> ItemOutcome {
        .failed(Receipt(.failed, failure: Failure(cause, detail)))
    }

    /// The progress of a run with two pages of three photos, after the first `count` events, one per second.
    static func progress(until count: Int = .max, limits: RunProgress.Limits = RunProgress.Limits(pages: 2))
        -> RunProgress
    {
        var progress = RunProgress(limits: limits)
        var now = Duration.zero
        for event in events.prefix(count) {
            progress.record(event, at: now)
            now += .seconds(1)
        }
        return progress
    }

    static let events: [Event] = [
        .runStarted(RunStart(source: "demo", feed: "demo", folder: "demo-mirror", width: 16)),
        .pageRequested(number: 1),
        .pageLoaded(number: 1, photos: 3, total: 300),
        .itemStarted(item(1)), .itemStarted(item(2)), .itemStarted(item(3)),
        .itemEnded(item(1), done()),
        .itemRetried(item(2), attempt: 1, Failure(.timeout, "30 s"), delay: .seconds(2)),
        .itemEnded(item(3), failed(.httpClientError(404), "Not Found")),
        .pageRequested(number: 2),
        .pageLoaded(number: 2, photos: 3, total: 300),
        .itemEnded(item(2), done()),
    ]
}

/// A pipe that an ``Output`` writes to.
struct Pipe: Sendable {
    let output: Output
    private let pipe = Foundation.Pipe()

    init() {
        output = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    }

    /// Closes the pipe and returns the written text.
    func text() throws -> String {
        try pipe.fileHandleForWriting.close()
        return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Reads and discards everything until the pipe is closed.
    func drain() throws { while try pipe.fileHandleForReading.read(upToCount: 1 << 16)?.isEmpty == false {} }

    func closeWriter() throws { try pipe.fileHandleForWriting.close() }

    func closeReader() throws { try pipe.fileHandleForReading.close() }
}

/// An unlinked file that an ``Output`` writes to.
///
/// Unlike a pipe it never fills up.
struct CapturedOutput: Sendable {
    let output: Output
    private let file: FileHandle

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "sluice-output-\(UUID().uuidString)")
        try Data().write(to: url)
        file = try FileHandle(forUpdating: url)
        try FileManager.default.removeItem(at: url)
        output = Output(descriptor: file.fileDescriptor)
    }

    /// Returns the text written so far.
    func text() throws -> String {
        try file.seek(toOffset: 0)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// Runs a program with this standard input; returns its exit code and its output.
func runProgram(_ path: String, _ arguments: [String], input: String = "") throws -> (code: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let file = FileManager.default.temporaryDirectory.appending(path: "sluice-input-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = Foundation.Pipe()
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
}

/// Returns the path of a program, if it is installed.
func program(_ name: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A library that is built for a test and loaded before the real ones.
struct PreloadedLibrary {
    private let folder: TemporaryFolder
    private var library: String { folder.path("preloaded.so") }

    /// Builds the library from a source file in `Tests/EndToEnd`.
    init(_ source: String) throws {
        #if os(Linux)
            folder = try TemporaryFolder()
            let tests = URL(filePath: #filePath).deletingLastPathComponent()
            let file = tests.appending(path: source).path
            let words = ["cc", "-shared", "-fPIC", "-O1", "-w", "-o", folder.path("preloaded.so"), file, "-ldl"]
            let made = try Running(words, program: "/usr/bin/env").end()
            guard made.code == 0 else { throw CocoaError(.executableLoad) }
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }

    /// The environment variables that load it into a command.
    var environment: [String: String] { ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"] }
}

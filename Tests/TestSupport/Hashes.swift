// SPDX-License-Identifier: MIT

import Foundation

/// Computes a SHA-256 with the system's `sha256sum`, independently of the code under test.
public func sha256(_ bytes: [UInt8]) -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sha256sum"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    do {
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text.prefix(64), as: UTF8.self)
    } catch {
        return "\(error)"
    }
}

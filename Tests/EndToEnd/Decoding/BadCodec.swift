// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

/// A preloaded libjpeg that misbehaves for pictures of certain widths.
struct BadCodec {
    /// The misbehaviours, by the picture width that triggers each in `bad_codec.c`.
    enum Act: Int, CaseIterable {
        case crashes = 101, aborts, loops, takesAllMemory, exits, overflows, refusesRun
        case opensFiles = 111, connects, forks, startsPrograms, changesPicture, signalsRun, makesCode

        /// The actions that the sandbox must prevent; decoding continues after a failed attempt.
        static let escapes = allCases.filter { $0.rawValue >= opensFiles.rawValue }
    }

    /// The reason for skipping its tests.
    static let lack = "there is no C compiler, or no loader that takes LD_PRELOAD"

    /// Built once for all tests; `nil` if it cannot be built.
    static let shared: BadCodec? = try? BadCodec()

    private let folder: TemporaryFolder
    private var library: String { folder.path("bad_codec.so") }

    private init() throws {
        #if os(Linux)
            folder = try TemporaryFolder()
            let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "bad_codec.c").path
            let words = ["cc", "-shared", "-fPIC", "-O1", "-w", "-o", folder.path("bad_codec.so"), source, "-ldl"]
            let made = try Running(words, program: "/usr/bin/env").end()
            guard made.code == 0 else { throw CocoaError(.executableLoad) }
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }

    /// The environment variables that load it into a command.
    var environment: [String: String] { ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"] }

    /// Encodes a picture of a given width.
    static func picture(width: Int, shade: Int = 90) throws -> Data {
        var pixels: [UInt8] = []
        for index in 0..<width * 64 { pixels += [UInt8(index % width), UInt8(index / width), UInt8(shade % 256), 255] }
        return Data(try ImageEncoder(.jpeg).encode(pixels, width: width, height: 64))
    }
}

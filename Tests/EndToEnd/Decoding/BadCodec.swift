// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import TestSupport
import Testing

/// A libjpeg that does by a picture's width what no codec should, put before the real one by the loader.
struct BadCodec {
    /// The widths that have it act, as `bad_codec.c` knows them.
    enum Act: Int, CaseIterable {
        case crashes = 101, aborts, loops, takesAllMemory, exits
        case opensFiles = 111, connects, forks, startsPrograms, changesPicture, signalsRun, makesCode

        /// What a decoder must not be able to do, and goes on after it could not.
        static let escapes = allCases.filter { $0.rawValue >= opensFiles.rawValue }
    }

    /// Why tests with it are skipped.
    static let lack = "there is no C compiler, or no loader that takes LD_PRELOAD"

    /// Built once for all tests; `nil` where that cannot be.
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

    /// What has a command run with it; `seconds` ends those who loop.
    var environment: [String: String] { ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"] }

    /// A picture of a width, for which it acts or not.
    static func picture(width: Int, shade: Int = 90) throws -> Data {
        var pixels: [UInt8] = []
        for index in 0..<width * 64 { pixels += [UInt8(index % width), UInt8(index / width), UInt8(shade % 256), 255] }
        return Data(try ImageEncoder(.jpeg).encode(pixels, width: width, height: 64))
    }
}

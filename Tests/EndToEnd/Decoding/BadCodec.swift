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
        case crashes = 101, aborts, loops, takesAllMemory, exits, overflows, refusesRun, garblesReply
        case opensFiles = 111, connects, forks, startsPrograms, changesPicture, signalsRun, makesCode

        /// The actions that the sandbox must prevent; decoding continues after a failed attempt.
        static let escapes = allCases.filter { $0.rawValue >= opensFiles.rawValue }
    }

    /// The reason for skipping its tests.
    static let lack = "there is no C compiler, or no loader that takes LD_PRELOAD"

    /// Built once for all tests; `nil` if it cannot be built.
    static let shared: BadCodec? = try? BadCodec()

    private let library: PreloadedLibrary

    private init() throws { library = try PreloadedLibrary("Decoding/bad_codec.c") }

    /// The environment variables that load it into a command.
    var environment: [String: String] { library.environment }

    /// Encodes a picture of a given width.
    ///
    /// An Adobe marker in place of the JFIF marker says that it is RGB, so that libjpeg decodes it, and not the decoder
    /// for usual JPEGs.
    static func picture(width: Int, shade: Int = 90) throws -> Data {
        var pixels: [UInt8] = []
        for index in 0..<width * 64 { pixels += [UInt8(index % width), UInt8(index / width), UInt8(shade % 256), 255] }
        var bytes = try ImageEncoder(.jpeg).encode(pixels, width: width, height: 64)
        let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
        try #require(bytes[2...5].elementsEqual([0xFF, 0xE0, 0, 16]))
        bytes.replaceSubrange(2..<20, with: adobe)
        return Data(bytes)
    }
}

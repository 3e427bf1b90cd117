// SPDX-License-Identifier: MIT

import CWebPDemux

@testable import SluiceImaging

/// An animated WebP as libwebp's own reader of animations sees it.
struct DecodedAnimation {
    /// The canvas after each frame.
    private(set) var frames: [Raster] = []
    /// The end of each frame in milliseconds.
    private(set) var ends: [Int] = []
    private(set) var loops = 0

    init(_ file: [UInt8]) {
        var rgba = [UInt8](repeating: 0, count: 1 << 20)
        var facts = [Int32](repeating: 0, count: 5)
        while unsafe cwebpdemux_frame(file, file.count, Int32(frames.count), &rgba, rgba.count, &facts) == 1 {
            let (width, height) = (Int(facts[0]), Int(facts[1]))
            frames.append(
                Raster(width: width, height: height, layout: .rgba, bytes: Array(rgba.prefix(width * height * 4))))
            ends.append(Int(facts[4]))
            loops = Int(facts[3])
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceImaging

/// Files of others' test suites that Sluice refused or showed differently from browsers, Pillow and libvips.
@Suite(
    "Files once refused", .enabled(if: SharedData.isThere, "the shared images are not available"),
    .timeLimit(.minutes(5)))
struct UnsolvedTests {
    /// The mean red, green, blue and alpha of a thumbnail of 64 pixels, as two of the others show it.
    static let means: [(name: String, mean: [Double])] = [
        ("845a0841_16bit-HDR-P3-nclx.jxl", [91, 129, 108, 255]),
        ("04978365_C005.heic", [146, 164, 170, 255]),
        ("58d424a2_C008.heic", [146, 164, 170, 255]),
        ("101aeefa_TODO_hpredict_cmyk.tiff", [111, 111, 55, 80]),
        ("239547ab_ycgco-re.avif", [91, 82, 72, 255]),
        ("6e5c55bc_animals_00_multilayer_a1op_lsel.avif", [102, 113, 82, 255]),
        ("5a02ad16_colors-animated-8bpc-audio.avif", [0, 0, 0, 255]),
        ("c3854fda_mmap_error.bmp", [104, 102, 108, 255]),
    ]

    @Test("Each file has the colours that others show", arguments: means)
    func colors(name: String, mean: [Double]) throws {
        let folder = try #require(SharedData.folder).appending(path: "images/unsolved")
        guard let file = try? Array(Data(contentsOf: folder.appending(path: name))) else { return }
        let format = try #require(ImageFormat(sniffing: file))
        guard Codecs.codec(of: format).loader?.load() ?? true else { return }
        var options = ThumbnailOptions.allowingAll
        options.sizes = [ThumbnailSize(width: 64, height: 64)]
        options.format = .png
        let pixels = try decode(Thumbnailer(options).thumbnails(of: file).thumbnails[0].bytes).expanded(to: .rgba)
        for channel in 0..<4 {
            let values = stride(from: channel, to: pixels.bytes.count, by: 4).map { Double(pixels.bytes[$0]) }
            let found = values.reduce(0, +) / Double(values.count)
            #expect(abs(found - mean[channel]) < 4, "channel \(channel): \(found)")
        }
    }
}

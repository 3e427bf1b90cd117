// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Quality modes") struct QualityModeTests {
    static let info = ImageInfo(format: .jpeg, width: 4000, height: 3000)

    @Test(
        "A decoder leaves once the size, twice the size, or all",
        arguments: [(ThumbnailOptions.QualityMode.fast, 256), (.good, 512), (.exact, 4000)])
    func wanted(mode: ThumbnailOptions.QualityMode, width: Int) {
        let fitting = Fitting(width: 4000, height: 3000, into: ThumbnailSize(width: 256, height: 256), .inside)
        let set = ScalerSet([fitting], of: Self.info, mode: mode)
        #expect(set.wanted.width == width && set.wanted.height == width * 3 / 4)
        let nearest = ScalerSet([fitting], of: Self.info, kernel: .nearest, mode: mode)
        #expect(nearest.wanted == (4000, 3000))
    }

    @Test("More time brings a thumbnail nearer to the ideal one")
    func quality() throws {
        let picture = Pictures.make(800, 600, .rgb) { x, y in
            [UInt8((x * y / 90) % 256), UInt8((x + y * 2) / 2 % 256), UInt8((x * x / 300 + y) % 256)]
        }
        let file = try Pictures.file(.jpeg, picture)
        let truth = try Raster(decoding: PictureBytes(file)).resized(to: 96, 72)
        let errors = try [ThumbnailOptions.QualityMode.fast, .good, .exact].map { mode in
            var options = ThumbnailOptions()
            options.sizes = [192, 96].map { ThumbnailSize(width: $0, height: $0) }
            options.format = .png
            options.qualityMode = mode
            let small = try decode(Thumbnailer(options).thumbnails(of: file).thumbnails[1].bytes)
            return zip(small.bytes, truth.bytes).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        }
        #expect(errors[0] > errors[1] && errors[1] > errors[2] && errors[2] == 0, "\(errors)")
    }
}

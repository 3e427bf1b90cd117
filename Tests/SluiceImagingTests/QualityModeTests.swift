// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Quality modes", .timeLimit(.minutes(10))) struct QualityModeTests {
    static let info = ImageInfo(format: .jpeg, width: 4000, height: 3000)

    @Test(
        "The decoded size is the thumbnail's, twice the thumbnail's, or the full size",
        arguments: [(ThumbnailOptions.QualityMode.fast, 256), (.good, 512), (.exact, 4000)])
    func wanted(mode: ThumbnailOptions.QualityMode, width: Int) {
        let geometry = ScaleGeometry(width: 4000, height: 3000, into: ThumbnailSize(width: 256, height: 256), .inside)
        let set = ScalerSet([geometry], of: Self.info, mode: mode)
        #expect(set.minimumSize.width == width && set.minimumSize.height == width * 3 / 4)
        let nearest = ScalerSet([geometry], of: Self.info, kernel: .nearest, mode: mode)
        #expect(nearest.minimumSize == (4000, 3000))
    }

    @Test("More accurate modes come closer to the ideal thumbnail")
    func quality() throws {
        let image = SampleImages.make(800, 600, .rgb) { x, y in
            [UInt8((x * y / 90) % 256), UInt8((x + y * 2) / 2 % 256), UInt8((x * x / 300 + y) % 256)]
        }
        let file = try SampleImages.file(.jpeg, image)
        let truth = try Raster(decoding: ImageInput(file)).resized(to: 96, 72)
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

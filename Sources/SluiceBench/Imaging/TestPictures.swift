// SPDX-License-Identifier: MIT

internal import SluiceImaging

/// The generated photographs for an imaging benchmark, in every width and format.
struct TestPictures: Sendable {
    /// The number of pictures per width and format.
    static let count = 4

    private struct Kind: Hashable {
        var format: ImageFormat
        var width: Int
    }

    private var photos: [Int: [GrainyPhoto]] = [:]
    private var files: [Kind: [[UInt8]]] = [:]

    init(_ options: ImagingBenchOptions) throws(BenchError) {
        for width in options.widths {
            let generated = (0..<Self.count).map { GrainyPhoto(number: options.seed &* 31 &+ $0, width: width) }
            photos[width] = generated
            for format in options.formats {
                var encoded: [[UInt8]] = []
                for photo in generated { encoded.append(try Self.encode(photo, format, quality: 85)) }
                files[Kind(format: format, width: width)] = encoded
            }
        }
    }

    /// Returns the function that processes the picture with a number and adds up the time of each part.
    ///
    /// If `isFloor` is `true`, the function does only the codec's work.
    func work(
        _ setting: ImagingSetting, side: Int, isFloor: Bool
    ) -> @Sendable (Int, inout ImagingTimes) throws -> Void {
        switch setting.work {
        case .thumbnail:
            var options = ThumbnailOptions()
            options.sizes = [ThumbnailSize(width: side, height: side)]
            options.qualityMode = setting.mode
            options.format = .jpeg
            let thumbnailer = Thumbnailer(options)
            let files = files[Kind(format: setting.format, width: setting.width)] ?? []
            if isFloor { return { try thumbnailer.measureMinimumCost(of: files[$0 % files.count], timing: &$1) } }
            return { _ = try thumbnailer.thumbnails(of: files[$0 % files.count], timing: &$1) }
        case .encode:
            let photos = photos[setting.width] ?? []
            return { number, times in
                let start = ContinuousClock.now
                _ = try Self.encode(photos[number % photos.count], setting.format, quality: 80)
                times.encode += ContinuousClock.now - start
            }
        }
    }

    private static func encode(_ photo: GrainyPhoto, _ format: ImageFormat, quality: Int) throws(BenchError) -> [UInt8]
    {
        var encoder = ImageEncoder(format)
        encoder.quality = quality
        do throws(ImagingError) {
            return try encoder.encode(photo.rgba, width: photo.width, height: photo.height)
        } catch {
            throw BenchError(.usage, "cannot encode a picture of \(photo.width) pixels as \(format.name): \(error)")
        }
    }
}

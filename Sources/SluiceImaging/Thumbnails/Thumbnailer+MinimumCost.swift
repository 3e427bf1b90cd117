// SPDX-License-Identifier: MIT

extension Thumbnailer {
    /// Does the minimum work for the first size with the codecs' libraries, and adds its duration to `times`.
    ///
    /// The image is decoded at the scale that the options ask for, pixels are picked instead of filtered, and the
    /// result is encoded. Nothing is rotated, colour-converted or hashed. Picking counts as decoding. Benchmarks
    /// compare the cost of a thumbnail with this lower bound; the result is discarded.
    package func measureMinimumCost(of bytes: [UInt8], timing times: inout ImagingTimes) throws(ImagingError) {
        let image = try open(ImageInput(bytes))
        guard let size = options.sizes.first else { throw ImagingError(.unsupported, "no size is requested") }
        let decoder = try Codecs.decoder(for: image.info.format)
        let geometry = try ThumbnailPlan(size, of: image.info, options).geometry
        let minimumSize = ScalerSet([geometry], of: image.info, kernel: options.kernel, mode: options.qualityMode)
            .minimumSize
        let sampler = PointSampler(width: geometry.columns.target, height: geometry.rows.target)
        let job = DecodeJob(
            input: image.input, header: image.header, minimumSize: minimumSize, limits: options.limits,
            watchdog: DecodeWatchdog(.never, seconds: options.limits.seconds),
            prefersSpeed: options.qualityMode == .fast, usesReference: true)
        _ = try ImagingTimes.measured(&times.decode) { () throws(ImagingError) in
            try decoder.decode(job, into: sampler)
        }
        guard let raster = sampler.raster else {
            throw ImagingError(.unsupported, "the minimum cost is defined only for 8-bit grey, RGB and RGBA images")
        }
        let encoder = options.encoder(for: raster, ImageMetadata())
        _ = try ImagingTimes.measured(&times.encode) { () throws(ImagingError) in try encoder.encode(raster) }
    }
}

/// Shrinks an image by keeping the pixels under the centres of the thumbnail's pixels.
final class PointSampler: RowReceiving {
    private let width: Int
    private let height: Int
    private var shape: RowShape?
    /// The offsets in a row of the pixels to keep.
    private var columns: [Int] = []
    private var bytes: [UInt8] = []
    /// The number of thumbnail rows made so far, and of source rows received.
    private var keptRows = 0
    private var receivedRows = 0

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    func begin(_ shape: RowShape) {
        self.shape = shape
        let pixel = shape.layout.channels * shape.depth / 8
        columns = (0..<width).map { (2 * $0 + 1) * shape.width / (2 * width) * pixel }
        bytes.reserveCapacity(width * height * shape.layout.channels)
    }

    func receive(_ row: Span<UInt8>) {
        defer { receivedRows += 1 }
        guard let shape else { return }
        while keptRows < height, (2 * keptRows + 1) * shape.height / (2 * height) <= receivedRows {
            for column in columns {
                for channel in 0..<shape.layout.channels { bytes.append(row[column + channel]) }
            }
            keptRows += 1
        }
    }

    /// The thumbnail, after the last row; `nil` for 16-bit or CMYK images.
    var raster: Raster? {
        guard let shape, shape.depth == 8, shape.layout != .cmyk, keptRows == height else { return nil }
        return Raster(width: width, height: height, layout: shape.layout, bytes: bytes)
    }
}

// SPDX-License-Identifier: MIT

/// Decodes files of one format into rows of pixels.
protocol ImageDecoding: Sendable {
    /// The format that this decoder reads.
    var format: ImageFormat { get }

    /// Returns the size to decode to, which is at least `minimumSize` in both directions.
    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int)

    /// Estimates the decoder's memory in bytes for an image decoded to `size`, without a few row buffers.
    ///
    /// `count` is the file's size in bytes. The image has passed the pixel limit, so products of its sides cannot
    /// overflow.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int

    /// Decodes the whole image and passes its rows to the receiver from top to bottom.
    ///
    /// Throws if the image is incomplete or corrupt. If the job salvages damage, the decoder instead delivers the rows
    /// it has and returns the damage in the outcome. Polls the job's watchdog between rows.
    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome
}

extension ImageDecoding {
    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        (header.info.width, header.info.height)
    }
}

/// The parameters of one decode.
struct DecodeJob {
    let input: ImageInput
    let header: ImageHeader
    /// The smallest sufficient size in stored orientation; a decoder that can shrink may decode to this size.
    let minimumSize: (width: Int, height: Int)
    let limits: ImageLimits
    let watchdog: DecodeWatchdog
    /// Whether to decode a damaged image as far as possible.
    var salvages = false
    /// Whether to skip details that are barely visible.
    var prefersSpeed = false
}

/// The result of a decode apart from its rows.
struct DecodeOutcome {
    /// Harmless irregularities in the file.
    var notes: [String] = []
    /// The reason why rows are missing or wrong; set only if the job salvages damage.
    var damage: ImagingError?
}

/// The registered decoders; a new format needs a decoder and one line here.
enum Decoders {
    static let all: [any ImageDecoding] = [
        JPEGDecoder(),
        PNGDecoder(),
        WebPDecoder(),
    ]

    static func decoder(for format: ImageFormat) -> (any ImageDecoding)? {
        all.first { $0.format == format }
    }
}

extension Raster {
    /// Decodes a whole image as stored, without rotation or colour conversion.
    init(decoding input: ImageInput, limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        let header = try ImageHeader(of: input)
        try header.info.check(limits)
        guard let decoder = Decoders.decoder(for: header.info.format) else {
            throw ImagingError(.unsupported, header.info.format.name)
        }
        let size = ThumbnailSize(width: header.info.width, height: header.info.height)
        let whole = ScaleGeometry(width: header.info.width, height: header.info.height, into: size, .inside)
        let scalers = ScalerSet([whole], of: header.info)
        let job = DecodeJob(
            input: input, header: header, minimumSize: scalers.minimumSize, limits: limits,
            watchdog: DecodeWatchdog(.never, seconds: limits.seconds))
        _ = try decoder.decode(job, into: scalers)
        self = scalers.finish()[0]
    }
}

// SPDX-License-Identifier: MIT

/// Something that turns files of one format into rows of pixels.
protocol PictureDecoding: Sendable {
    /// The format that it decodes.
    var format: ImageFormat { get }

    /// The size that the picture is decoded to, where at least `wanted` is good enough.
    func size(of header: PictureHeader, wanted: (width: Int, height: Int)) -> (width: Int, height: Int)

    /// About how many bytes the decoder takes for a picture of that decoded size, beside a few rows.
    ///
    /// `count` is the file's size. The picture keeps the limit of pixels, so that no product of them overflows.
    func memory(for header: PictureHeader, count: Int, size: (width: Int, height: Int)) -> Int

    /// Decodes the whole picture into the receiver, from the top row to the bottom row, and fails unless all of it is
    /// there and right; a job that salvages is told of the damage in the outcome, after the rows that there are. Looks
    /// at the job's watch between rows.
    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome
}

extension PictureDecoding {
    func size(of header: PictureHeader, wanted: (width: Int, height: Int)) -> (width: Int, height: Int) {
        (header.info.width, header.info.height)
    }
}

/// One picture to decode.
struct DecodeJob {
    let source: PictureBytes
    let header: PictureHeader
    /// The least size, as stored, that is good enough: a decoder that can shrink while decoding may go down to this.
    let wanted: (width: Int, height: Int)
    let limits: ImageLimits
    let watch: Watch
    /// Whether a damaged picture is taken as far as it goes.
    var salvages = false
    /// Whether speed counts for more than what the eye hardly sees.
    var isFast = false
}

/// What a decode leaves besides the rows.
struct DecodeOutcome {
    /// What was odd, but does no harm.
    var notes: [String] = []
    /// Why the rows end early or are wrong; only for a job that salvages.
    var damage: ImagingError?
}

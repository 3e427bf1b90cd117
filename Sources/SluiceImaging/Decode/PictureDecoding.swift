// SPDX-License-Identifier: MIT

/// Something that turns files of one format into rows of pixels.
protocol PictureDecoding: Sendable {
    /// The format that it decodes.
    var format: ImageFormat { get }

    /// Decodes the whole picture into the receiver, from the top row to the bottom row, and fails unless all of it is
    /// there and right. Looks at the job's watch between rows.
    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome
}

/// One picture to decode.
struct DecodeJob {
    let source: PictureBytes
    let header: PictureHeader
    /// The least size, as stored, that is good enough: a decoder that can shrink while decoding may go down to this.
    let wanted: (width: Int, height: Int)
    let limits: ImageLimits
    let watch: Watch
}

/// What a decode leaves besides the rows.
struct DecodeOutcome {
    /// The embedded colour profile.
    var profile: [UInt8]?
    /// What was odd, but does no harm.
    var notes: [String] = []
}

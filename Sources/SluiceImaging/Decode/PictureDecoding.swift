// SPDX-License-Identifier: MIT

/// Something that turns files of one format into rows of pixels.
protocol PictureDecoding: Sendable {
    /// The format that it decodes.
    var format: ImageFormat { get }

    /// Decodes the whole picture into the receiver, from the top row to the bottom row, and fails unless all of it is
    /// there and right; a job that salvages is told of the damage in the outcome, after the rows that there are. Looks
    /// at the job's watch between rows.
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
    /// Whether a damaged picture is taken as far as it goes.
    var salvages = false
}

/// What a decode leaves besides the rows.
struct DecodeOutcome {
    /// The embedded colour profile.
    var profile: [UInt8]?
    /// What was odd, but does no harm.
    var notes: [String] = []
    /// Why the rows end early or are wrong; only for a job that salvages.
    var damage: ImagingError?
}

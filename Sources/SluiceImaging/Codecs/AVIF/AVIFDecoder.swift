// SPDX-License-Identifier: MIT

/// Decodes AVIF with libavif and dav1d, which keep the whole picture in memory while decoding.
///
/// Of an animation, decodes the still picture that its file holds for readers of stills.
struct AVIFDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .avif(&window)
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        try HEIFItems.checkCompleteness(of: input, watchdog: watchdog)
    }

    /// Counts the file, the decoded planes and a band of rows.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        count + header.wholeImageBytes + YUVConverter.memory(for: header)
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError)
        -> DecodeOutcome
    {
        let info = job.header.decodedInfo
        try checkCompleteness(job.input, info, limits: job.limits, watchdog: job.watchdog)
        let reader = try AVIFReader(info)
        try reader.decode(job.input.read(at: 0, count: job.input.count), info)
        try reader.deliver(job.header, watchdog: job.watchdog, to: receiver)
        return DecodeOutcome()
    }
}

// SPDX-License-Identifier: MIT

/// Decodes AVIF with libavif and dav1d, which keep the whole picture in memory while decoding.
///
/// Of an animation, decodes the still picture that its file holds for readers of stills.
struct AVIFDecoder: ImageDecoding {
    /// Rows are converted to RGB in bands, so that the whole picture exists in memory only once.
    private static let bandRows = 64

    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .avif(&window)
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input)
        try HEIFItems(&window).checkExtents(count: input.count)
        // The frames of an animation are in no item, but in a box.
        var boxes = Boxes(in: 0..<input.count)
        while try boxes.next(in: &window) != nil { try watchdog.check() }
    }

    /// Counts the file, the decoded planes and a band of rows.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        count + header.wholeImageBytes
            + AVIFReader.bandBytes(Self.bandRows, width: size.width, channels: 4)
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError)
        -> DecodeOutcome
    {
        let info = job.header.info
        try checkCompleteness(job.input, info, limits: job.limits, watchdog: job.watchdog)
        let reader = try AVIFReader(info)
        try reader.decode(job.input.read(at: 0, count: job.input.count), info)
        let shape = RowShape(of: info, width: info.width, height: info.height)
        let channels = info.hasAlpha ? 4 : 3
        let band = SampleBuffer<UInt8>(
            count: AVIFReader.bandBytes(
                min(Self.bandRows, info.height), width: info.width, channels: channels), zero: 0)
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        try receiver.begin(shape)
        for first in stride(from: 0, to: info.height, by: Self.bandRows) {
            try job.watchdog.check()
            let rows = first..<min(first + Self.bandRows, info.height)
            let start = try reader.convert(rows, info, channels: channels, into: band)
            for number in 0..<rows.count {
                let offset = start + number * info.width * channels
                if shape.layout == .grey {
                    for column in 0..<info.width { unsafe row.base[column] = band.base[offset + column * 3] }
                    row.withSpan(0..<row.count) { receiver.receive($0) }
                } else {
                    band.withSpan(offset..<offset + shape.rowBytes) { receiver.receive($0) }
                }
            }
        }
        return DecodeOutcome()
    }
}

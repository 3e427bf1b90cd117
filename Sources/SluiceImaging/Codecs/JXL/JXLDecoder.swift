// SPDX-License-Identifier: MIT

internal import CSluice

/// Decodes the first frame of a JPEG XL with libjxl, which keeps the whole picture in memory.
///
/// The library offers no decode to a smaller size: its previews have the size of the picture.
struct JXLDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .jxl(&window)
    }

    /// Returns the profile of the decoded samples, which the library unpacks or makes from the stated colours.
    func readProfile(of header: ImageHeader, _ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        let file = try input.read(at: 0, count: input.count)
        return try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            try unsafe JXLReader(bytes).profile()
        }
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input)
        // The end of a codestream without a container is found by decoding.
        guard try !JXLLayout(&window).isIncomplete else { throw ImagingError(.truncated, "\(input.count) bytes") }
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        count + header.wholeImageBytes
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        if let range = job.header.dynamicRange {
            return try decodeSamples(job, into: ToneMapper(range, for: receiver))
        }
        return try decodeSamples(job, into: receiver)
    }

    private func decodeSamples(
        _ job: DecodeJob, into receiver: some RowReceiving
    ) throws(ImagingError) -> DecodeOutcome {
        let info = job.header.info
        let shape = RowShape(of: info, width: info.width, height: info.height)
        try receiver.begin(shape)
        let file = try job.input.read(at: 0, count: job.input.count)
        let pixels = SampleBuffer<UInt8>(count: shape.rowBytes * shape.height, zero: 0)
        try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            let reader = try unsafe JXLReader(bytes)
            try reader.decode(shape, into: pixels, watchdog: job.watchdog)
        }
        for row in 0..<shape.height {
            try job.watchdog.check(row: row)
            pixels.withSpan(row * shape.rowBytes..<(row + 1) * shape.rowBytes) { receiver.receive($0) }
        }
        return DecodeOutcome()
    }
}

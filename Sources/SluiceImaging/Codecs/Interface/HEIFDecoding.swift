// SPDX-License-Identifier: MIT

/// Decodes a format whose files consist of HEIF items, and keeps the decoded planes in memory as a whole.
protocol HEIFDecoding: ImageDecoding {}

extension HEIFDecoding {
    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        try HEIFItems.checkCompleteness(of: input, watchdog: watchdog)
    }

    /// Counts the file, the decoded planes and a band of rows.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        count + header.wholeImageBytes + YUVConverter.memory(for: header)
    }
}

extension ImageHeader {
    /// Sets the size of the decoded planes, which `count` computes from the number of pixels and the bytes of a sample.
    mutating func setWholeImageBytes(_ count: (_ pixels: Int, _ sampleBytes: Int) -> Int) {
        let (pixels, overflow) = decodedInfo.width.multipliedReportingOverflow(by: decodedInfo.height)
        // The pixel limit rejects a larger picture.
        guard !overflow, pixels < 1 << 48 else { return }
        wholeImageBytes = count(pixels, info.bitDepth > 8 ? 2 : 1)
    }
}

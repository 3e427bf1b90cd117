// SPDX-License-Identifier: MIT

/// Decodes the largest JPEG preview of a raw photo, with the photo's orientation; never reads the sensor's data.
struct RAWDecoder: ImageDecoding {
    let format: ImageFormat
    let structure: RAWStructure
    let previewDecoder: any ImageDecoding

    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        let layout = try structure.layout(&window)
        let preview = try RAWPreview(in: layout, salvages: salvages, &window)
        var header = preview.header
        header.info.format = format
        if let orientation = layout.orientation, (1...8).contains(orientation) { header.info.orientation = orientation }
        // The ranges of the preview's header count from the preview's start.
        func moved(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound + preview.range.lowerBound..<range.upperBound + preview.range.lowerBound
        }
        header.profileRanges = header.profileRanges.map(moved)
        header.creditLocations.xmp = header.creditLocations.xmp.map(moved)
        header.creditLocations.iptc = header.creditLocations.iptc.map(moved)
        return header
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        let (preview, layout) = try find(in: input)
        try layout.checkEnd(count: input.count)
        try previewDecoder.checkCompleteness(input.part(preview.range), info, limits: limits, watchdog: watchdog)
    }

    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        previewDecoder.size(of: header, minimumSize: minimumSize)
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        previewDecoder.memory(for: header, count: count, size: size)
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let (preview, layout) = try find(in: job.input, salvages: job.salvages)
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try layout.checkEnd(count: job.input.count)
        }
        var previewJob = job
        previewJob.input = job.input.part(preview.range)
        var outcome = try previewDecoder.decode(previewJob, into: receiver)
        outcome.damage = outcome.damage ?? damage ?? preview.missing
        return outcome
    }

    private func find(
        in input: ImageInput, salvages: Bool = false
    ) throws(ImagingError) -> (preview: RAWPreview, layout: RAWLayout) {
        var window = ByteWindow(input)
        let layout = try structure.layout(&window)
        return (try RAWPreview(in: layout, salvages: salvages, &window), layout)
    }
}

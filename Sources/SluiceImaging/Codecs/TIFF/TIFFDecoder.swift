// SPDX-License-Identifier: MIT

/// Decodes a page of a TIFF with libtiff: the smallest copy of the first page that suffices.
struct TIFFDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        let layout = try TIFFLayout(&window)
        var header = ImageHeader(try layout.main.info())
        if header.info.hasProfile, let profile = layout.main.profile { header.profileRanges = [profile] }
        header.creditLocations.xmp = layout.main.xmp
        header.creditLocations.iptc = layout.main.iptc
        header.reducedSizes = layout.reduced.map { ($0.width, $0.height) }
        header.wholeImageBytes = ([layout.main] + layout.reduced).map { $0.memory(fileBytes: window.count) }.max() ?? 0
        if !layout.main.statesColors { header.notes.append("the TIFF does not state the meaning of its samples") }
        if layout.others > 0 { header.notes.append("only the first of \(layout.others + 1) pages is used") }
        return header
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input)
        let layout = try TIFFLayout(&window)
        let structure = try TIFFStructure(&window)
        for page in [layout.main] + layout.reduced { try page.checkEnd(structure, &window, watchdog: watchdog) }
    }

    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let sufficient = header.reducedSizes.filter { $0.width >= minimumSize.width && $0.height >= minimumSize.height }
        return sufficient.min { $0.width < $1.width } ?? (header.info.width, header.info.height)
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        header.wholeImageBytes
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let flaw = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        }
        var window = ByteWindow(job.input)
        let page = try TIFFLayout(&window).page(minimumSize: job.minimumSize)
        let shape = RowShape(of: job.header.info, width: page.width, height: page.height)
        let memory = job.limits.memory
        return try unsafe job.input.withCInput { (input) throws(ImagingError) in
            let reader = try unsafe TIFFReader(input, memory: memory)
            try reader.start(page, shape)
            try receiver.begin(shape)
            let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
            let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
                for number in 0..<shape.height {
                    try job.watchdog.check(row: number)
                    try reader.readRow(into: row)
                    row.withSpan(0..<row.count) { receiver.receive($0) }
                }
            }
            return DecodeOutcome(notes: damage == nil ? reader.notes : [], damage: flaw ?? damage)
        }
    }
}

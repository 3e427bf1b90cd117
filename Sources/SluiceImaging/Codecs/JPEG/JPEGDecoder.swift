// SPDX-License-Identifier: MIT

internal import CSluice

/// Decodes JPEG: streams rows, and lets the DCT shrink the image if a smaller size suffices.
///
/// Sluice's own decoder reads usual files. libjpeg-turbo reads all others, and is the only one to report damage.
struct JPEGDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .jpeg(&window)
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input, span: 65536)
        var segments = JPEGSegments()
        var scans = 0
        let truncation = try captureDamage(if: true) { () throws(ImagingError) in
            while let segment = try segments.next(in: &window) {
                guard segment.marker == 0xDA else { continue }
                try watchdog.check()
                scans += 1
            }
        }
        guard scans <= limits.scans else { throw ImagingError(.tooManyScans, "\(scans) (limit \(limits.scans))") }
        // A picture beyond the pixel limit is not decoded.
        let pixels = info.width * info.height
        guard pixels > limits.pixels || scans <= max(1, Self.maxScannedPixels / pixels) else {
            throw ImagingError(.tooManyScans, "\(scans) of \(info.width)x\(info.height) pixels")
        }
        if let truncation { throw truncation }
        guard scans > 0 else { throw ImagingError(.corrupt, "no scan") }
    }

    /// The maximum number of pixels in all scans together; each costs a decoder about a nanosecond.
    private static let maxScannedPixels = 3_000_000_000

    /// Adds the end marker if the file has all scans that its frame needs.
    func completed(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) -> ImageInput? {
        guard try JPEGCoverage(of: input, watchdog: watchdog).isComplete else { return nil }
        return input.prefix(input.count, followedBy: JPEGSegments.endMarker)
    }

    func makePrefixFinder(for goal: PrefixGoal) -> (any PrefixFinding)? { JPEGPrefix(for: goal) }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        let eighths = Self.eighths(job.header.info, minimumSize: job.minimumSize)
        let skippable = skippableScans(job, eighths)
        let fast = try decodeUsual(job, eighths: eighths, skipping: skippable, into: receiver)
        if fast.isComplete { return DecodeOutcome() }
        return try unsafe job.input.withCInput { cInput throws(ImagingError) in
            let reader = try unsafe JPEGReader(cInput, memory: job.limits.memory)
            if job.salvages { reader.allowTruncation() }
            for range in skippable { reader.skip(range) }
            let shape = try reader.start(eighths: eighths)
            if shape.several_scans { try consumeScans(reader, job) }
            if !fast.hasBegun { try receiver.begin(Self.rowShape(shape, eighths: eighths, job.header.info)) }
            let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
                try readRows(reader, shape, job, receiver, skipping: fast.rows)
                try reader.finish()
            }
            if job.rejectsWarnings, let note = reader.notes.first { throw ImagingError(.corrupt, note) }
            return DecodeOutcome(notes: damage == nil ? reader.notes : [], damage: damage)
        }
    }

    /// Returns the smallest of libjpeg's fast scales, in eighths, that is large enough.
    static func eighths(_ info: ImageInfo, minimumSize: (width: Int, height: Int)) -> Int {
        [1, 2, 4].first { eighths in
            info.width * eighths >= minimumSize.width * 8 && info.height * eighths >= minimumSize.height * 8
        } ?? 8
    }

    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let eighths = Self.eighths(header.info, minimumSize: minimumSize)
        return ((header.info.width * eighths + 7) / 8, (header.info.height * eighths + 7) / 8)
    }

    /// Single-scan images need two rows of blocks; multi-scan images keep all coefficients until the last scan.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        header.wholeImageBytes + FastJPEGReader.bytesPerColumn * size.width
    }

    func secondThreadMemory(for header: ImageHeader, size: (width: Int, height: Int)) -> Int {
        JPEGRows.memory(for: header, size: size)
    }

    /// The number of scans of a progressive image beyond which it is rejected.
    static func maxScans(_ info: ImageInfo, _ limits: ImageLimits) -> Int {
        min(limits.scans, max(1, maxScannedPixels / (info.width * info.height)))
    }

    static func rowShape(_ shape: csluice_jpeg_shape, eighths: Int, _ info: ImageInfo) -> RowShape {
        let layout: PixelLayout = shape.channels == 1 ? .grey : shape.channels == 3 ? .rgb : .cmyk
        var rows = RowShape(width: Int(shape.width), height: Int(shape.height), layout: layout)
        rows.exactWidth = Double(info.width * eighths) / 8
        rows.exactHeight = Double(info.height * eighths) / 8
        return rows
    }

    /// Returns the scans to skip; a missing end marker is reported later, when the scans are consumed.
    private func skippableScans(_ job: DecodeJob, _ eighths: Int) -> [Range<Int>] {
        guard job.header.info.isProgressive, !job.salvages, eighths == 1 || job.prefersSpeed else { return [] }
        return (try? JPEGScans(job.input, watchdog: job.watchdog))?.skippableRanges(
            eighths: eighths, prefersSpeed: job.prefersSpeed) ?? []
    }

    /// Reads all scans before the first row and limits their number, because a small file can have very many.
    private func consumeScans(_ reader: borrowing JPEGReader, _ job: DecodeJob) throws(ImagingError) {
        _ = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        }
        while let scan = try reader.consumeInput() {
            try job.watchdog.check()
            guard scan <= job.limits.scans else {
                throw ImagingError(.tooManyScans, "more than \(job.limits.scans)")
            }
        }
        try reader.startRows()
    }

    private func readRows(
        _ reader: borrowing JPEGReader, _ shape: csluice_jpeg_shape, _ job: DecodeJob, _ receiver: some RowReceiving,
        skipping delivered: Int
    ) throws(ImagingError) {
        let (height, rowBytes) = (Int(shape.height), Int(shape.width) * Int(shape.channels))
        let rows = SampleBuffer<UInt8>(count: rowBytes * Self.rowsAtOnce, zero: 0)
        for first in stride(from: 0, to: height, by: Self.rowsAtOnce) {
            try job.watchdog.check()
            let count = min(Self.rowsAtOnce, height - first)
            try reader.readRows(count, into: rows)
            Self.deliver(rows, min(count, max(0, delivered - first))..<count, rowBytes, to: receiver)
        }
    }

    static func deliver(
        _ samples: borrowing SampleBuffer<UInt8>, _ rows: Range<Int>, _ rowBytes: Int, to receiver: some RowReceiving
    ) {
        for row in rows { samples.withSpan(row * rowBytes..<(row + 1) * rowBytes) { receiver.receive($0) } }
    }

    static let rowsAtOnce = 8
}

extension ImageFormat {
    /// JPEG, which most photographs use.
    public static let jpeg = ImageFormat(named: "jpeg")
}

extension ThumbnailOptions.Format {
    /// JPEG.
    public static let jpeg = fixed(.jpeg)
}

extension Codec {
    static let jpeg = Codec(
        format: .jpeg, title: "JPEG", mediaType: "image/jpeg", fileExtensions: ["jpg", "jpeg", "jpe", "jfif"],
        signatures: [ImageSignature(0xFF, 0xD8, 0xFF)], decoder: JPEGDecoder(), encoder: JPEGEncoder(),
        embed: { JPEGEmbedding.embed($0, in: $1) }, gainMaps: JPEGGainMapFile(),
        linkedLibrary: CodecVersion(name: "libjpeg-turbo", number: Int(csluice_jpeg_version()), base: 1000))
}

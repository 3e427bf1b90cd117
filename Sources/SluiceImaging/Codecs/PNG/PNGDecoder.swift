// SPDX-License-Identifier: MIT

internal import CSluice

/// Decodes PNG: streams rows, but keeps half of an interlaced image's rows in memory until its last pass.
///
/// libpng reads everything up to the pixels, and Sluice's own decoder reads the pixels of usual files. libpng reads all
/// others, and is the only one to report damage.
struct PNGDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .png(&window)
    }

    /// Returns the profile that libpng unpacks, because a PNG's profile is compressed.
    func readProfile(of header: ImageHeader, _ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        try unsafe input.withCInput { cInput throws(ImagingError) in
            let reader = try unsafe PNGReader(cInput)
            _ = try reader.start()
            return reader.profile
        }
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        var window = ByteWindow(input, span: 65536)
        var chunks = PNGChunks(offset: 8)
        var hasPixels = false
        while let chunk = try chunks.next(in: &window) {
            try watchdog.check()
            hasPixels = hasPixels || chunk.name == "IDAT"
        }
        guard hasPixels else { throw ImagingError(.corrupt, "no pixels") }
    }

    /// Adds the end chunk if the file ends within it or directly before it.
    func completed(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) -> ImageInput? {
        var window = ByteWindow(input, span: 65536)
        var chunks = PNGChunks(offset: 8)
        var hasPixels = false
        let damage = try captureDamage(if: true) { () throws(ImagingError) in
            while let chunk = try chunks.next(in: &window) {
                try watchdog.check()
                hasPixels = hasPixels || chunk.name == "IDAT"
            }
        }
        let rest = input.count - chunks.offset
        guard damage != nil, hasPixels, rest < Self.endChunk.count,
            try window.bytes(at: chunks.offset, count: rest).elementsEqual(Self.endChunk.prefix(rest))
        else { return nil }
        return input.prefix(chunks.offset, followedBy: Self.endChunk)
    }

    private static let endChunk: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try checkPlausibleSize(job)
        if let range = job.header.dynamicRange {
            return try decodeSamples(job, into: ToneMapper(range, for: receiver))
        }
        return try decodeSamples(job, into: receiver)
    }

    private func decodeSamples(
        _ job: DecodeJob, into receiver: some RowReceiving
    ) throws(ImagingError) -> DecodeOutcome {
        try unsafe job.input.withCInput { cInput throws(ImagingError) in
            var reader = try unsafe PNGReader(cInput)
            if job.salvages { try reader.allowTruncation() }
            let shape = try reader.start()
            let rows = Self.rowShape(shape)
            try receiver.begin(rows)
            let fast = try decodeUsual(reader, rows, job, into: receiver)
            if fast.isComplete { return DecodeOutcome(notes: reader.notes) }
            if fast.hasStarted {
                reader = try unsafe PNGReader(cInput)
                _ = try reader.start()
            }
            let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
                if shape.passes > 1 {
                    try readPasses(reader, Int(shape.passes), rows, job, receiver)
                } else {
                    try readRows(reader, rows, job, receiver, skipping: fast.rows)
                }
                try reader.finish()
            }
            return DecodeOutcome(notes: damage == nil ? reader.notes : [], damage: damage)
        }
    }

    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        let shape = RowShape(of: header.info, width: size.width, height: size.height)
        return header.info.isProgressive ? shape.rowBytes * (Self.keptRows(shape) + 1) : 0
    }

    /// The number of rows that the passes before the last one fill.
    private static func keptRows(_ shape: RowShape) -> Int { (shape.height + 1) / 2 }

    /// Rejects an image that zlib could not unpack from so few bytes, before memory is allocated for it.
    private func checkPlausibleSize(_ job: DecodeJob) throws(ImagingError) {
        let info = job.header.info
        let least = info.width * info.bitDepth / 8 * info.height
        guard least / 1032 > job.input.count else { return }
        try checkCompleteness(job.input, info, limits: job.limits, watchdog: job.watchdog)
        throw ImagingError(.corrupt, "\(job.input.count) bytes cannot hold \(info.width)x\(info.height) pixels")
    }

    static func rowShape(_ shape: csluice_png_shape) -> RowShape {
        let layout: PixelLayout = shape.channels == 1 ? .grey : shape.channels == 3 ? .rgb : .rgba
        var rows = RowShape(width: Int(shape.width), height: Int(shape.height), layout: layout)
        rows.depth = Int(shape.depth)
        return rows
    }

    private func readRows(
        _ reader: borrowing PNGReader, _ shape: RowShape, _ job: DecodeJob, _ receiver: some RowReceiving,
        skipping delivered: Int
    ) throws(ImagingError) {
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        for number in 0..<shape.height {
            try job.watchdog.check(row: number)
            try reader.readRow(into: row)
            if number >= delivered { row.withSpan(0..<row.count) { receiver.receive($0) } }
        }
    }

    /// Delivers the rows during the last pass, which has all pixels of every other row.
    ///
    /// Until then such a row is the same as the one above, because libpng also fills the pixels of later passes.
    private func readPasses(
        _ reader: borrowing PNGReader, _ passes: Int, _ shape: RowShape, _ job: DecodeJob,
        _ receiver: some RowReceiving
    ) throws(ImagingError) {
        let kept = SampleBuffer<UInt8>(count: shape.rowBytes * Self.keptRows(shape), zero: 0)
        let row = SampleBuffer<UInt8>(count: shape.rowBytes, zero: 0)
        var (isEmpty, delivered) = (true, 0)
        let damage = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            for _ in 1..<passes {
                for number in 0..<shape.height {
                    try job.watchdog.check(row: number)
                    try reader.readRow(into: kept, at: number / 2 * shape.rowBytes)
                    isEmpty = false
                }
            }
            for number in 0..<shape.height {
                try job.watchdog.check(row: number)
                try reader.readRow(into: row)
                if number.isMultiple(of: 2) {
                    deliver(number, of: kept, shape, to: receiver)
                } else {
                    row.withSpan(0..<row.count) { receiver.receive($0) }
                }
                delivered += 1
            }
        }
        if let damage, isEmpty { throw damage }
        for number in delivered..<shape.height { deliver(number, of: kept, shape, to: receiver) }
        if let damage { throw damage }
    }

    private func deliver(
        _ number: Int, of kept: borrowing SampleBuffer<UInt8>, _ shape: RowShape, to receiver: some RowReceiving
    ) {
        let start = number / 2 * shape.rowBytes
        kept.withSpan(start..<start + shape.rowBytes) { receiver.receive($0) }
    }
}

extension ImageFormat {
    /// PNG, which is lossless and can be transparent.
    public static let png = ImageFormat(named: "png")
}

extension ThumbnailOptions.Format {
    /// PNG.
    public static let png = fixed(.png)
}

extension Codec {
    static let png = Codec(
        format: .png, title: "PNG", mediaType: "image/png", fileExtensions: ["png"],
        signatures: [ImageSignature(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A)], decoder: PNGDecoder(),
        encoder: PNGEncoder(),
        embed: { PNGEmbedding.embed($0, in: $1) },
        linkedLibrary: CodecVersion(name: "libpng", number: Int(csluice_png_version()), base: 100))
}

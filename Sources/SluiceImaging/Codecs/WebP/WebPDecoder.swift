// SPDX-License-Identifier: MIT

internal import CWebP

/// Decodes WebP with libwebp, which keeps the whole image in memory while decoding.
///
/// Of an animation, decodes the first frame on its transparent canvas.
struct WebPDecoder: ImageDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .webp(&window, salvages: salvages)
    }

    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog
    ) throws(ImagingError) {
        try Self.checkContainer(of: input, watchdog)
    }

    /// Checks that the file is as long as it declares, and that its chunks are in order.
    private static func checkContainer(of input: ImageInput, _ watchdog: DecodeWatchdog) throws(ImagingError) {
        var window = ByteWindow(input)
        let declared = try WebPChunks.declaredSize(&window)
        guard declared <= window.count else {
            throw ImagingError(.truncated, "\(window.count) of \(declared) bytes")
        }
        try WebPContainer.check(input, watchdog: watchdog)
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try Self.checkPlausibleSize(job)
        let flaw = try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try Self.checkContainer(of: job.input, job.watchdog)
        }
        let damage =
            if job.header.isAnimated {
                try decodeFrame(WebPFrame(of: job.input, canvas: job.header.info), job, into: receiver)
            } else {
                try decodeStill(job, into: receiver)
            }
        return DecodeOutcome(damage: flaw ?? damage)
    }

    /// Rejects a very large image in a tiny file.
    ///
    /// A lossless image can declare any size in 36 bytes, and libwebp then paints it in one call that cannot be
    /// interrupted.
    private static func checkPlausibleSize(_ job: DecodeJob) throws(ImagingError) {
        let info = job.header.info
        let pixels = info.width * info.height
        guard pixels > maxFullDecodePixels, pixels / maxPixelsPerByte > job.input.count else { return }
        throw ImagingError(.decodeLimit, "\(info.width)x\(info.height) pixels in \(job.input.count) bytes")
    }

    /// A plain colour packs about 25,000 pixels into a byte, and no real photo packs that tightly.
    private static let maxPixelsPerByte = 100_000

    private func decodeStill(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> ImagingError? {
        let info = job.header.info
        let size = size(of: job.header, minimumSize: job.minimumSize)
        var image = try WebPDecodeBuffer(
            hasAlpha: info.hasAlpha, scaledTo: size == (info.width, info.height) ? nil : size)
        let damage = try Self.decode(job.input.read(at: 0, count: Self.imageEnd(in: job.input)), into: &image, job)
        try receiver.begin(RowShape(width: size.width, height: size.height, layout: info.hasAlpha ? .rgba : .rgb))
        for row in 0..<image.rows {
            try job.watchdog.check(row: row)
            image.withRow(row) { receiver.receive($0) }
        }
        return damage
    }

    /// Returns the end of the image's chunk.
    ///
    /// libwebp takes the chunks after it for the rest of data that end early, and reports nothing.
    private static func imageEnd(in input: ImageInput) throws(ImagingError) -> Int {
        var window = ByteWindow(input)
        var chunks = WebPChunks(offset: 12)
        do throws(ImagingError) {
            while let chunk = try chunks.next(in: &window) {
                if chunk.name == "VP8 " || chunk.name == "VP8L" { return chunk.body.upperBound }
            }
        } catch {
            guard error.isDamage else { throw error }
        }
        return input.count
    }

    private static func decode(
        _ file: [UInt8], into image: inout WebPDecodeBuffer, _ job: DecodeJob
    ) throws(ImagingError) -> ImagingError? {
        try captureDamage(if: job.salvages) { () throws(ImagingError) in
            try image.decode(file, of: job.header.info, job.watchdog)
        }
    }

    /// Returns the full size, or twice the minimum size for a very large image.
    ///
    /// Scaling in libwebp takes as long as a full decode and blurs (11 dB worse). It is therefore used only to save
    /// memory, and leaves the resampling filter enough detail to be sharp.
    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let info = header.info
        let isFullSize = header.isAnimated || info.width * info.height <= Self.maxFullDecodePixels
        guard !isFullSize else { return (info.width, info.height) }
        return (min(info.width, minimumSize.width * 2), min(info.height, minimumSize.height * 2))
    }

    private static let maxFullDecodePixels = 16_000_000

    /// Counts the file, the decoded image, and the per-pixel buffers that libwebp needs.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        count + header.wholeImageBytes + size.width * size.height * (header.info.hasAlpha ? 4 : 3)
    }

    private func decodeFrame(
        _ frame: WebPFrame, _ job: DecodeJob, into receiver: some RowReceiving
    ) throws(ImagingError) -> ImagingError? {
        let info = job.header.info
        var image = try WebPDecodeBuffer(hasAlpha: true, scaledTo: nil)
        let damage = try Self.decode(frame.file, into: &image, job)
        guard image.width == frame.width, image.height == frame.height else {
            throw ImagingError(.corrupt, "the frame's size differs from its header")
        }
        try receiver.begin(RowShape(width: info.width, height: info.height, layout: .rgba))
        let row = SampleBuffer<UInt8>(count: info.width * 4, zero: 0)
        for number in 0..<info.height {
            try job.watchdog.check(row: number)
            if (frame.y..<frame.y + image.rows).contains(number) {
                image.withRow(number - frame.y) { row.copy($0, to: frame.x * 4) }
            } else {
                row.fill(0)
            }
            row.withSpan(0..<row.count) { receiver.receive($0) }
        }
        return damage
    }
}

extension WebPDecoder: AnimationDecoding {
    func decodeFrames(
        _ job: DecodeJob, _ body: (AnimationFrame) throws(ImagingError) -> Bool
    ) throws(ImagingError) {
        var window = ByteWindow(job.input)
        var chunks = WebPChunks(offset: 30)
        while let found = try WebPFrame(next: &chunks, in: &window, of: job.input, canvas: job.header.info) {
            let frame = AnimationFrame(
                image: try AnimationFrame.decode(still: found.file, job), x: found.x, y: found.y,
                milliseconds: found.milliseconds, isBlended: found.isBlended,
                disposal: found.isCleared ? .clear : .keep)
            guard try body(frame) else { return }
        }
    }
}

extension ImageFormat {
    /// WebP, which is smaller than JPEG and can be transparent, lossless or animated.
    public static let webp = ImageFormat(named: "webp")
}

extension ThumbnailOptions.Format {
    /// WebP.
    public static let webp = fixed(.webp)
}

extension Codec {
    static let webp = Codec(
        format: .webp, title: "WebP", mediaType: "image/webp", fileExtensions: ["webp"],
        signatures: [ImageSignature((0, Array("RIFF".utf8)), (8, Array("WEBP".utf8)))], decoder: WebPDecoder(),
        encoder: WebPEncoder(),
        embed: { WebPEmbedding.embed($0, in: $1) },
        linkedLibrary: CodecVersion(name: "libwebp", number: Int(WebPGetDecoderVersion()), base: 256))
}

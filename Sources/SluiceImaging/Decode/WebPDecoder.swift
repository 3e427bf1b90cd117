// SPDX-License-Identifier: MIT

/// WebP through libwebp, which holds the picture while it decodes.
///
/// Of an animation the first frame is taken, on its transparent canvas.
struct WebPDecoder: PictureDecoding {
    let format = ImageFormat.webp

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try Self.checkSubstance(job)
        let cut = try damage(isKept: job.salvages) { () throws(ImagingError) in
            var window = ByteWindow(job.source)
            try Completeness.checkWebP(&window)
        }
        let damage =
            if job.header.isAnimated {
                try decodeFrame(WebPFrame(of: job.source, canvas: job.header.info), job, into: receiver)
            } else {
                try decodeStill(job, into: receiver)
            }
        return DecodeOutcome(damage: cut ?? damage)
    }

    /// Refuses a very large picture of next to nothing: a lossless one can claim any size in 36 bytes, and libwebp paints it
    /// in one go that nothing interrupts.
    private static func checkSubstance(_ job: DecodeJob) throws(ImagingError) {
        let info = job.header.info
        let pixels = info.width * info.height
        guard pixels > mostPixelsInFull, pixels / mostPixelsOfByte > job.source.count else { return }
        throw ImagingError(.decodeLimit, "\(info.width)x\(info.height) pixels in \(job.source.count) bytes")
    }

    /// A plain colour is packed into one byte for 25,000 pixels, and nothing that anybody looks at so tightly.
    private static let mostPixelsOfByte = 100_000

    private func decodeStill(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> ImagingError? {
        let info = job.header.info
        let size = size(of: job.header, wanted: job.wanted)
        var picture = try WebPPicture(hasAlpha: info.hasAlpha, scaledTo: size == (info.width, info.height) ? nil : size)
        let damage = try Self.decode(job.source.read(at: 0, count: job.source.count), into: &picture, job)
        try receiver.begin(RowShape(width: size.width, height: size.height, layout: info.hasAlpha ? .rgba : .rgb))
        for row in 0..<picture.rows {
            try job.watch.check(row: row)
            picture.withRow(row) { receiver.receive($0) }
        }
        return damage
    }

    private static func decode(
        _ file: [UInt8], into picture: inout WebPPicture, _ job: DecodeJob
    ) throws(ImagingError) -> ImagingError? {
        try damage(isKept: job.salvages) { () throws(ImagingError) in
            try picture.decode(file, of: job.header.info, job.watch)
        }
    }

    /// The whole picture, or for a very large one a size of twice what is wanted.
    ///
    /// libwebp's scaling takes no less time than a whole decode and blurs (11 dB worse), so it is only used to save
    /// memory, and leaves the last kernel enough to be sharp with.
    func size(of header: PictureHeader, wanted: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let info = header.info
        let isInFull = header.isAnimated || info.width * info.height <= Self.mostPixelsInFull
        guard !isInFull else { return (info.width, info.height) }
        return (min(info.width, wanted.width * 2), min(info.height, wanted.height * 2))
    }

    private static let mostPixelsInFull = 16_000_000

    /// The file, the picture that is made of it, and what libwebp keeps of all pixels to make it.
    func memory(for header: PictureHeader, count: Int, size: (width: Int, height: Int)) -> Int {
        let pixels = header.info.width * header.info.height
        let kept = header.isLossless ? 4 : header.info.hasAlpha ? 2 : 0
        return count + pixels * kept + size.width * size.height * (header.info.hasAlpha ? 4 : 3)
    }

    private func decodeFrame(
        _ frame: WebPFrame, _ job: DecodeJob, into receiver: some RowReceiving
    ) throws(ImagingError) -> ImagingError? {
        let info = job.header.info
        var picture = try WebPPicture(hasAlpha: true, scaledTo: nil)
        let damage = try Self.decode(frame.file, into: &picture, job)
        guard picture.width == frame.width, picture.height == frame.height else {
            throw ImagingError(.corrupt, "a frame of another size than it says")
        }
        try receiver.begin(RowShape(width: info.width, height: info.height, layout: .rgba))
        let row = SampleBuffer<UInt8>(count: info.width * 4, zero: 0)
        for number in 0..<info.height {
            try job.watch.check(row: number)
            if (frame.y..<frame.y + picture.rows).contains(number) {
                picture.withRow(number - frame.y) { row.copy($0, to: frame.x * 4) }
            } else {
                row.fill(0)
            }
            row.withSpan(0..<row.count) { receiver.receive($0) }
        }
        return damage
    }
}

// SPDX-License-Identifier: MIT

internal import CWebP

/// WebP through libwebp, which makes the picture smaller while it decodes where less is wanted.
struct WebPDecoder: PictureDecoding {
    let format = ImageFormat.webp

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        var window = ByteWindow(job.source)
        try Completeness.checkWebP(&window)
        guard job.header.info.frames == 1 else { throw ImagingError(.unsupported, "animated WebP") }
        let file = try job.source.read(at: 0, count: job.source.count)
        let size = Self.decodedSize(job)
        let picture = try WebPPicture(hasAlpha: job.header.info.hasAlpha, size: size, of: job.header.info)
        try picture.decode(file, job.watch)
        let shape = RowShape(width: size.width, height: size.height, layout: job.header.info.hasAlpha ? .rgba : .rgb)
        try receiver.begin(shape)
        for row in 0..<size.height {
            try job.watch.check(row: row)
            picture.withRow(row) { receiver.receive($0) }
        }
        return DecodeOutcome(profile: try job.header.readProfile(job.source))
    }

    /// What is wanted, at least; nothing between half and whole, where libwebp's scaling costs more than it saves.
    private static func decodedSize(_ job: DecodeJob) -> (width: Int, height: Int) {
        let info = job.header.info
        let isSmaller = job.wanted.width * 2 <= info.width && job.wanted.height * 2 <= info.height
        return isSmaller ? job.wanted : (info.width, info.height)
    }
}

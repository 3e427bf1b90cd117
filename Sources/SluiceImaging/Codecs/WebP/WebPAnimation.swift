// SPDX-License-Identifier: MIT

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

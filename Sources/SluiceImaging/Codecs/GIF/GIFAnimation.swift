// SPDX-License-Identifier: MIT

extension GIFDecoder: AnimationDecoding {
    func decodeFrames(
        _ job: DecodeJob, _ body: (AnimationFrame) throws(ImagingError) -> Bool
    ) throws(ImagingError) {
        var window = ByteWindow(job.input)
        var blocks = try GIFBlocks(&window)
        while let found = try GIFFrame(next: &blocks, in: &window) {
            try AnimationFrame.check(
                x: found.x, y: found.y, width: found.width, height: found.height, on: job.header.info)
            try blocks.skipData(in: &window)
            let still = try found.still(of: job.input, upTo: blocks.offset)
            let frame = AnimationFrame(
                image: try AnimationFrame.decode(still: still, job), x: found.x, y: found.y,
                milliseconds: found.control.milliseconds, isBlended: true, disposal: found.control.disposal)
            guard try body(frame) else { return }
        }
    }
}

extension GIFFrame {
    /// Returns the frame as a file of its own; its data ends at `end`.
    fileprivate func still(of input: ImageInput, upTo end: Int) throws(ImagingError) -> [UInt8] {
        let size = [width, height].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        var file = Array("GIF89a".utf8) + size
        file += try input.read(at: 10, count: globalColors.upperBound - 10)
        if let color = control.transparentColor { file += [0x21, 0xF9, 4, 1, 0, 0, color, 0] }
        file += [0x2C, 0, 0, 0, 0] + size
        // The flags, the frame's own colours and its data.
        let rest = start + GIFBlocks.descriptorBytes
        file += try input.read(at: rest, count: end - rest)
        return file + [0x3B]
    }
}

// SPDX-License-Identifier: MIT

extension AVIFDecoder: AnimationDecoding {
    func decodeFrames(
        _ job: DecodeJob, _ body: (AnimationFrame) throws(ImagingError) -> Bool
    ) throws(ImagingError) {
        let header = job.header
        let reader = try AVIFReader(header.decodedInfo, of: .animation)
        try reader.decodeFrames(job.input.read(at: 0, count: job.input.count), header.decodedInfo) {
            (reader, milliseconds) throws(ImagingError) in
            let image = try Raster(of: header.info) { (rows) throws(ImagingError) in
                try reader.deliver(header, watchdog: job.watchdog, to: rows)
            }
            return try body(AnimationFrame(image: image, milliseconds: milliseconds))
        }
    }
}

// SPDX-License-Identifier: MIT

extension PictureEncoder {
    /// Encodes a picture with the best quality, up to the encoder's own, whose file has at most `limit` bytes.
    ///
    /// Each try halves the qualities that are left, so there are at most eight; a file may come out smaller at a quality
    /// that was passed over, but never is one above the limit taken while a tried one keeps it. Where none does, the
    /// last and lowest is given, as is the one file of a format without qualities.
    func encode(_ raster: Raster, atMost limit: Int?, _ watch: Watch) throws(ImagingError) -> [UInt8] {
        let first = try encode(raster)
        guard let limit, first.count > limit, hasQualities else { return first }
        var attempt = self
        var best: [UInt8]?
        var last = first
        var low = 1
        var high = quality - 1
        while low <= high {
            try watch.check()
            attempt.quality = (low + high) / 2
            last = try attempt.encode(raster)
            if last.count <= limit {
                best = last
                low = attempt.quality + 1
            } else {
                high = attempt.quality - 1
            }
        }
        return best ?? last
    }

    private var hasQualities: Bool { format == .jpeg || (format == .webp && !isLossless) }
}

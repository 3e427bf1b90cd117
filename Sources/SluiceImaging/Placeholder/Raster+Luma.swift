// SPDX-License-Identifier: MIT

extension Raster {
    /// How light each pixel is, from 0 to 255, to the eye; what is transparent is as dark as its opacity leaves it.
    var luma: [Double] {
        let channels = layout.channels
        return stride(from: 0, to: bytes.count, by: channels).map { start in
            guard channels > 1 else { return Double(bytes[start]) }
            let weighted = Int(bytes[start]) * 299 + Int(bytes[start + 1]) * 587 + Int(bytes[start + 2]) * 114
            return Double(layout == .rgba ? weighted * Int(bytes[start + 3]) / 255 : weighted) / 1000
        }
    }
}

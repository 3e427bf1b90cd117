// SPDX-License-Identifier: MIT

extension Raster {
    /// The picture over a background, without its alpha.
    func flattened(over background: BackgroundColor) -> Raster {
        guard layout == .rgba else { return self }
        let shown = background.overWhite
        let behind = [Int(shown.red), Int(shown.green), Int(shown.blue)]
        var flat: [UInt8] = []
        flat.reserveCapacity(width * height * 3)
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = Int(bytes[pixel + 3])
            for channel in 0..<3 {
                flat.append(UInt8((Int(bytes[pixel + channel]) * alpha + behind[channel] * (255 - alpha) + 127) / 255))
            }
        }
        return Raster(width: width, height: height, layout: .rgb, bytes: flat)
    }

    /// The same picture with more channels: grey as red, green and blue, and opaque if nothing else is said.
    func expanded(to wanted: PixelLayout) -> Raster {
        guard layout != wanted else { return self }
        let channels = layout.channels
        var wide: [UInt8] = []
        wide.reserveCapacity(width * height * wanted.channels)
        for pixel in stride(from: 0, to: bytes.count, by: channels) {
            for channel in 0..<3 { wide.append(bytes[channels < 3 ? pixel : pixel + channel]) }
            if wanted == .rgba { wide.append(layout.hasAlpha ? bytes[pixel + channels - 1] : 255) }
        }
        return Raster(width: width, height: height, layout: wanted, bytes: wide)
    }

    /// The same picture in grey, with its alpha, if no pixel has a colour; else as it is.
    var withoutIdleColor: Raster {
        guard layout == .rgb || layout == .rgba else { return self }
        let pixels = stride(from: 0, to: bytes.count, by: layout.channels)
        guard pixels.allSatisfy({ bytes[$0] == bytes[$0 + 1] && bytes[$0] == bytes[$0 + 2] }) else { return self }
        let greys = layout == .rgba ? pixels.flatMap { [bytes[$0], bytes[$0 + 3]] } : pixels.map { bytes[$0] }
        return Raster(width: width, height: height, layout: layout == .rgba ? .greyAlpha : .grey, bytes: greys)
    }

    /// The picture on a canvas at least as large, whose free room lies around it by the two shares, from 0 to 1.
    func padded(to canvas: ThumbnailPlan.Box, shares: (x: Double, y: Double), _ background: BackgroundColor) -> Raster {
        guard canvas.width != width || canvas.height != height else { return self }
        let isGrey = background.red == background.green && background.green == background.blue
        let wanted: PixelLayout =
            layout == .rgba || background.alpha < 255 ? .rgba : layout == .grey && isGrey ? .grey : .rgb
        let source = expanded(to: wanted)
        let channels = wanted.channels
        let pixel = [background.red, background.green, background.blue, background.alpha].prefix(channels)
        let left = Int((Double(canvas.width - width) * shares.x).rounded(.down))
        let top = Int((Double(canvas.height - height) * shares.y).rounded(.down))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(canvas.width * canvas.height * channels)
        func fill(_ pixels: Int) { for _ in 0..<pixels { bytes += pixel } }
        fill(top * canvas.width)
        for row in 0..<height {
            fill(left)
            bytes += source.bytes[row * width * channels..<(row + 1) * width * channels]
            fill(canvas.width - width - left)
        }
        fill((canvas.height - height - top) * canvas.width)
        return Raster(width: canvas.width, height: canvas.height, layout: wanted, bytes: bytes)
    }
}

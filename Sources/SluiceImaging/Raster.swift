// SPDX-License-Identifier: MIT

/// The channels of a pixel.
enum PixelLayout: Sendable, Hashable {
    case grey
    /// Grey and straight (not premultiplied) alpha; used only for finished thumbnails.
    case greyAlpha
    case rgb
    /// RGB and straight (not premultiplied) alpha.
    case rgba
    /// Inverted CMYK: 255 means no ink.
    case cmyk

    var channels: Int {
        switch self {
        case .grey: 1
        case .greyAlpha: 2
        case .rgb: 3
        case .rgba, .cmyk: 4
        }
    }

    var hasAlpha: Bool { self == .rgba || self == .greyAlpha }
}

/// An image in memory with 8 bits per sample and no padding between rows.
struct Raster: Sendable, Hashable {
    var width: Int
    var height: Int
    var layout: PixelLayout
    var bytes: [UInt8]
}

extension Raster {
    /// The image on a white background, without alpha.
    var flattened: Raster { flattened(over: .white) }

    /// The image without its alpha channel, if every pixel is opaque; else the image unchanged.
    var withoutOpaqueAlpha: Raster {
        guard layout == .rgba, stride(from: 3, to: bytes.count, by: 4).allSatisfy({ bytes[$0] == 255 }) else {
            return self
        }
        return flattened
    }

    /// Calls `body` with each row, from top to bottom.
    func forEachRow(_ body: (Span<UInt8>) -> Void) {
        let rowBytes = width * layout.channels
        for row in 0..<height {
            body(bytes.span.extracting(row * rowBytes..<(row + 1) * rowBytes))
        }
    }
}

extension Raster {
    /// Returns the image on a background, without alpha.
    func flattened(over background: BackgroundColor) -> Raster {
        guard layout == .rgba else { return self }
        let opaqueBackground = background.overWhite
        let backdrop = [Int(opaqueBackground.red), Int(opaqueBackground.green), Int(opaqueBackground.blue)]
        var flat: [UInt8] = []
        flat.reserveCapacity(width * height * 3)
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = Int(bytes[pixel + 3])
            for channel in 0..<3 {
                flat.append(
                    UInt8((Int(bytes[pixel + channel]) * alpha + backdrop[channel] * (255 - alpha) + 127) / 255))
            }
        }
        return Raster(width: width, height: height, layout: .rgb, bytes: flat)
    }

    /// Returns the same image in a layout with more channels: grey becomes RGB, and missing alpha becomes opaque.
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

    /// The image in grey (keeping its alpha) if every pixel is grey; else the image unchanged.
    var greyIfColorless: Raster {
        guard layout == .rgb || layout == .rgba else { return self }
        let pixels = stride(from: 0, to: bytes.count, by: layout.channels)
        guard pixels.allSatisfy({ bytes[$0] == bytes[$0 + 1] && bytes[$0] == bytes[$0 + 2] }) else { return self }
        let greys = layout == .rgba ? pixels.flatMap { [bytes[$0], bytes[$0 + 3]] } : pixels.map { bytes[$0] }
        return Raster(width: width, height: height, layout: layout == .rgba ? .greyAlpha : .grey, bytes: greys)
    }
}

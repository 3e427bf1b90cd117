// SPDX-License-Identifier: MIT

/// What a pixel's samples mean.
enum PixelLayout: Sendable, Hashable {
    case grey
    /// With an alpha that is not multiplied in; only a finished thumbnail is so.
    case greyAlpha
    case rgb
    /// With an alpha that is not multiplied in.
    case rgba
    /// 255 is no ink, as light has it.
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

/// A picture in memory, with 8 bits a sample and rows without gaps.
struct Raster: Sendable, Hashable {
    var width: Int
    var height: Int
    var layout: PixelLayout
    var bytes: [UInt8]
}

extension Raster {
    /// The picture over white, without its alpha.
    var flattened: Raster { flattened(over: .white) }

    /// The picture without an alpha that hides nothing.
    var withoutIdleAlpha: Raster {
        guard layout == .rgba, stride(from: 3, to: bytes.count, by: 4).allSatisfy({ bytes[$0] == 255 }) else {
            return self
        }
        return flattened
    }

    /// Lends each row, from the top.
    func forEachRow(_ body: (Span<UInt8>) -> Void) {
        let rowBytes = width * layout.channels
        for row in 0..<height {
            body(bytes.span.extracting(row * rowBytes..<(row + 1) * rowBytes))
        }
    }
}

// SPDX-License-Identifier: MIT

/// Something that takes a picture row by row.
protocol RowReceiving: AnyObject {
    /// Tells what the rows will be like; comes once, before the first row.
    func begin(_ shape: RowShape) throws(ImagingError)
    /// Takes the next row: `width * channels` samples in the machine's byte order.
    func receive(_ row: Span<UInt8>)
}

/// What the rows of a decoded picture are like.
struct RowShape {
    var width: Int
    var height: Int
    var layout: PixelLayout
    /// 8 or 16.
    var depth = 8
    /// How many of these pixels the whole picture is wide: less than ``width`` if the last column is only part picture.
    var exactWidth: Double
    /// How many of these pixels the whole picture is high.
    var exactHeight: Double
    /// By what samples became light before they came; `nil` if they are as the picture has them.
    var curves: LightCurves?

    init(width: Int, height: Int, layout: PixelLayout) {
        self.width = width
        self.height = height
        self.layout = layout
        exactWidth = Double(width)
        exactHeight = Double(height)
    }

    /// What the rows of a picture are like by its header, decoded to a size.
    init(of info: ImageInfo, width: Int, height: Int) {
        let layout: PixelLayout =
            switch info.colorModel {
            case .cmyk: .cmyk
            case .grey, .rgb: info.hasAlpha ? .rgba : info.colorModel == .grey ? .grey : .rgb
            }
        self.init(width: width, height: height, layout: layout)
        depth = info.bitDepth == 16 ? 16 : 8
    }

    /// The bytes of one row.
    var rowBytes: Int { width * layout.channels * depth / 8 }
}

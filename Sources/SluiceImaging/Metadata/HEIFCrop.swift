// SPDX-License-Identifier: MIT

/// The crop of a picture in a HEIF file (`clap`), in whole pixels.
///
/// Encoders pad pictures to whole blocks, and hide the padding with a crop.
struct HEIFCrop: Hashable {
    // The limits on pixels apply to the cropped size, so the decoded one may not be much larger.
    private static let maxRemoved = 64

    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let decodedWidth: Int
    let decodedHeight: Int

    /// Reads a crop; `nil` if it cuts pixels, reaches beyond the picture, or removes more than padding.
    init?(_ range: Range<Int>, of info: ImageInfo, _ window: inout ByteWindow) throws(ImagingError) {
        var fields = BoxFields(range)
        let width = try Self.fraction(&fields, &window)
        let height = try Self.fraction(&fields, &window)
        let right = try Self.fraction(&fields, &window)
        let down = try Self.fraction(&fields, &window)
        guard let across = Self.span(width, offset: right, of: info.width),
            let along = Self.span(height, offset: down, of: info.height)
        else { return nil }
        (x, self.width) = (across.lowerBound, across.count)
        (y, self.height) = (along.lowerBound, along.count)
        (decodedWidth, decodedHeight) = (info.width, info.height)
    }

    private typealias Fraction = (numerator: Int, denominator: Int)

    private static func fraction(
        _ fields: inout BoxFields, _ window: inout ByteWindow
    ) throws(ImagingError) -> Fraction {
        let numerator = Int32(truncatingIfNeeded: try fields.number(4, in: &window))
        return (Int(numerator), try fields.number(4, in: &window))
    }

    /// Returns the pixels that remain of a side, of which the crop's centre is `offset` away from the side's centre.
    private static func span(_ size: Fraction, offset: Fraction, of side: Int) -> Range<Int>? {
        guard size.denominator > 0, offset.denominator > 0, size.numerator.isMultiple(of: size.denominator) else {
            return nil
        }
        let count = size.numerator / size.denominator
        guard count > 0, count <= side, side - count < maxRemoved else { return nil }
        let doubledStart = 2 * offset.numerator + (side - count) * offset.denominator
        guard doubledStart.isMultiple(of: 2 * offset.denominator) else { return nil }
        let start = doubledStart / (2 * offset.denominator)
        guard start >= 0, start + count <= side else { return nil }
        return start..<start + count
    }
}

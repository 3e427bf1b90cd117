// SPDX-License-Identifier: MIT

/// The picture on which the frames of an animation are drawn, with straight alpha.
struct AnimationCanvas {
    private(set) var picture: Raster
    /// The last frame's area, and what to do with it before the next frame.
    private var last: (area: Area, disposal: AnimationFrame.Disposal)?
    /// The picture before the last frame, if that frame is to be undone.
    private var saved: [UInt8] = []

    private struct Area {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    init(width: Int, height: Int) {
        picture = Raster(
            width: width, height: height, layout: .rgba, bytes: [UInt8](repeating: 0, count: width * height * 4))
    }

    /// Undoes the last frame if it asks for that, and draws the next one, which lies within the canvas.
    mutating func draw(_ frame: AnimationFrame) {
        let area = Area(x: frame.x, y: frame.y, width: frame.image.width, height: frame.image.height)
        precondition(
            area.x >= 0 && area.y >= 0 && area.x + area.width <= picture.width
                && area.y + area.height <= picture.height, "the frame lies within the canvas")
        dispose()
        if frame.disposal == .restore { saved = picture.bytes }
        last = (area, frame.disposal)
        let image = frame.image.expanded(to: .rgba).bytes
        for row in 0..<area.height {
            let source = row * area.width * 4
            let target = offset(ofRow: row, in: area)
            if frame.isBlended {
                for pixel in stride(from: 0, to: area.width * 4, by: 4) {
                    blend(image[(source + pixel)..<(source + pixel + 4)], at: target + pixel)
                }
            } else {
                picture.bytes.replaceSubrange(
                    target..<target + area.width * 4, with: image[source..<source + area.width * 4])
            }
        }
    }

    private mutating func dispose() {
        guard let (area, disposal) = last, disposal != .keep else { return }
        for row in 0..<area.height {
            let start = offset(ofRow: row, in: area)
            let range = start..<start + area.width * 4
            if disposal == .clear {
                picture.bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
            } else {
                picture.bytes.replaceSubrange(range, with: saved[range])
            }
        }
    }

    private func offset(ofRow row: Int, in area: Area) -> Int {
        ((area.y + row) * picture.width + area.x) * 4
    }

    /// Draws a pixel over the one at an offset.
    private mutating func blend(_ pixel: ArraySlice<UInt8>, at offset: Int) {
        let start = pixel.startIndex
        let alpha = Int(pixel[start + 3])
        guard alpha > 0 else { return }
        let below = Int(picture.bytes[offset + 3]) * (255 - alpha)
        // Both terms are 255 times an alpha.
        let whole = alpha * 255 + below
        for channel in 0..<3 {
            let color = Int(pixel[start + channel]) * alpha * 255 + Int(picture.bytes[offset + channel]) * below
            picture.bytes[offset + channel] = UInt8((color + whole / 2) / whole)
        }
        picture.bytes[offset + 3] = UInt8((whole + 127) / 255)
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Canvas of animations", .timeLimit(.minutes(10))) struct AnimationCanvasTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]
    private static let clear: [UInt8] = [0, 0, 0, 0]

    /// Makes a frame with one row of pixels.
    private static func frame(
        _ pixels: [[UInt8]], x: Int = 0, isBlended: Bool = false, then disposal: AnimationFrame.Disposal = .keep
    ) -> AnimationFrame {
        let image = Raster(width: pixels.count, height: 1, layout: .rgba, bytes: pixels.flatMap(\.self))
        return AnimationFrame(image: image, x: x, milliseconds: 100, isBlended: isBlended, disposal: disposal)
    }

    /// Returns the canvas of three pixels after each frame.
    private static func pictures(_ frames: [AnimationFrame]) -> [[UInt8]] {
        var canvas = AnimationCanvas(width: 3, height: 1)
        return frames.map { frame in
            canvas.draw(frame)
            return canvas.picture.bytes
        }
    }

    @Test(
        "A frame stays, is cleared, or is undone before the next one",
        arguments: [
            (AnimationFrame.Disposal.keep, blue), (.clear, clear), (.restore, red),
        ])
    func disposal(_ disposal: AnimationFrame.Disposal, _ remaining: [UInt8]) {
        let pictures = Self.pictures([
            Self.frame([Self.red, Self.red, Self.red]), Self.frame([Self.blue, Self.blue], x: 1, then: disposal),
            Self.frame([Self.red]),
        ])
        #expect(pictures[1] == Self.red + Self.blue + Self.blue)
        #expect(pictures[2] == Self.red + remaining + remaining)
    }

    @Test("Undoing the first frame leaves an empty canvas")
    func first() {
        let pictures = Self.pictures([Self.frame([Self.red], then: .restore), Self.frame([Self.blue], x: 2)])
        #expect(pictures[1] == Self.clear + Self.clear + Self.blue)
    }

    @Test("A frame is blended with the canvas, or overwrites it")
    func blending() {
        let base = Self.frame([Self.red, Self.red, Self.clear])
        let veil: [[UInt8]] = [Self.clear, [0, 0, 255, 128], [0, 0, 255, 128]]
        #expect(
            Self.pictures([base, Self.frame(veil, isBlended: true)])[1] == Self.red + [127, 0, 128, 255] + veil[2])
        #expect(Self.pictures([base, Self.frame(veil)])[1] == veil.flatMap(\.self))
    }

    @Test("Half over half is three quarters opaque, with the upper colour counting twice")
    func halves() {
        let below: [UInt8] = [90, 0, 0, 128]
        let picture = Self.pictures([Self.frame([below]), Self.frame([[0, 90, 0, 128]], isBlended: true)])[1]
        #expect(Array(picture.prefix(4)) == [30, 60, 0, 192])
    }
}

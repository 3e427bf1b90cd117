// SPDX-License-Identifier: MIT

/// Reads all frames of animations of one format.
protocol AnimationDecoding: ImageDecoding {
    /// Passes the frames in order to `body`, until it returns false.
    ///
    /// Throws if a frame is incomplete or corrupt, and `unsupported` if the animation is one that this decoder does not
    /// read. The file is complete, and so is its first frame.
    func decodeFrames(
        _ job: DecodeJob, _ body: (AnimationFrame) throws(ImagingError) -> Bool) throws(ImagingError)
}

/// A frame of an animation, and how it changes the canvas.
struct AnimationFrame {
    /// The treatment of the frame's area before the next frame is drawn.
    enum Disposal {
        case keep
        case clear
        /// The area becomes what it was before the frame.
        case restore
    }

    /// The frame's pixels.
    let image: Raster
    /// The position on the canvas.
    var x = 0
    var y = 0
    /// How long the frame is shown.
    let milliseconds: Int
    /// Whether the frame is blended with the canvas; otherwise it overwrites the canvas.
    var isBlended = false
    var disposal = Disposal.keep
}

extension AnimationFrame {
    /// Frames of at most this duration are shown for a tenth of a second, as in browsers.
    private static let tooShort = 10

    /// Returns the duration for which browsers show a frame.
    static func shown(milliseconds: Int) -> Int { milliseconds <= tooShort ? 100 : milliseconds }

    /// Decodes a frame that has been wrapped as a still file.
    static func decode(still file: [UInt8], _ job: DecodeJob) throws(ImagingError) -> Raster {
        try Raster(decoding: ImageInput(file), limits: job.limits, watchdog: job.watchdog)
    }

    /// Throws unless a frame lies within the canvas, which limits the memory that frames take.
    static func check(
        x: Int, y: Int, width: Int, height: Int, on canvas: ImageInfo
    ) throws(ImagingError) {
        guard x + width <= canvas.width, y + height <= canvas.height else {
            throw ImagingError(.unsupported, "a frame exceeds the canvas")
        }
    }
}

// SPDX-License-Identifier: MIT

/// Writes animations of one format.
protocol AnimationEncoding: ImageEncoding {
    /// Starts an animation that is played `loops` times, or for ever if that is 0.
    func makeAnimation(
        width: Int, height: Int, loops: Int, _ settings: ImageEncoder
    ) throws(ImagingError) -> any AnimationWriting
}

/// An animation that is being written.
protocol AnimationWriting: AnyObject {
    /// Adds a frame of the animation's size, which is shown from `milliseconds` after the start on.
    func add(_ raster: Raster, at milliseconds: Int) throws(ImagingError)
    /// Ends the animation `milliseconds` after its start, and returns the file.
    func finish(at milliseconds: Int) throws(ImagingError) -> [UInt8]
}

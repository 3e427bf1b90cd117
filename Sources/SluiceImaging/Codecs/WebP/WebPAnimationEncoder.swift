// SPDX-License-Identifier: MIT

internal import CWebP

/// Owns a libwebp encoder of animations.
@safe final class WebPAnimationEncoder {
    private let handle: OpaquePointer
    private let settings: ImageEncoder
    /// The largest number of repetitions that a file can state.
    private static let maxLoops = 65535

    /// Starts an animation that is played `loops` times, or for ever if that is 0.
    init(width: Int, height: Int, loops: Int, _ settings: ImageEncoder) throws(ImagingError) {
        var options = WebPAnimEncoderOptions()
        guard unsafe WebPAnimEncoderOptionsInit(&options) != 0 else {
            throw ImagingError(.internal, "libwebp has an incompatible version")
        }
        options.anim_params.loop_count = Int32(min(loops, Self.maxLoops))
        guard let made = unsafe WebPAnimEncoderNew(Int32(width), Int32(height), &options) else {
            throw ImagingError(.decodeLimit, "no memory for an animation")
        }
        unsafe handle = made
        self.settings = settings
    }

    deinit { unsafe WebPAnimEncoderDelete(handle) }

    /// Adds a frame, which is shown from `milliseconds` after the start on.
    func add(_ raster: Raster, at milliseconds: Int) throws(ImagingError) {
        let picture = try WebPEncodeBuffer()
        let config = try WebPEncodeBuffer.config(settings)
        guard
            unsafe picture.withPicture(
                raster,
                { picture in
                    var config = config
                    return unsafe WebPAnimEncoderAdd(handle, picture, Int32(milliseconds), &config) != 0
                })
        else { throw failure }
    }

    /// Ends the animation `milliseconds` after its start, and returns the file.
    func finish(at milliseconds: Int) throws(ImagingError) -> [UInt8] {
        guard unsafe WebPAnimEncoderAdd(handle, nil, Int32(milliseconds), nil) != 0 else { throw failure }
        var data = unsafe WebPData()
        guard unsafe WebPAnimEncoderAssemble(handle, &data) != 0 else { throw failure }
        defer { unsafe WebPDataClear(&data) }
        let file = unsafe [UInt8](UnsafeBufferPointer(start: data.bytes, count: data.size))
        return settings.metadata.isEmpty ? file : try WebPEncoder.file(file, with: settings.metadata)
    }

    /// Only a lack of memory stops the encoder.
    private var failure: ImagingError {
        let text = unsafe WebPAnimEncoderGetError(handle).map { unsafe String(cString: $0) } ?? ""
        return ImagingError(.decodeLimit, "animation: \(text)")
    }
}

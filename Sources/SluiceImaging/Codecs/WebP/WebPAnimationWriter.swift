// SPDX-License-Identifier: MIT

internal import CWebP

extension WebPEncoder: AnimationEncoding {
    func makeAnimation(
        width: Int, height: Int, loops: Int, _ settings: ImageEncoder
    ) throws(ImagingError) -> any AnimationWriting {
        try WebPAnimationWriter(width: width, height: height, loops: loops, settings)
    }
}

/// Owns a libwebp encoder of animations.
@safe private final class WebPAnimationWriter: AnimationWriting {
    private let handle: OpaquePointer
    private let settings: ImageEncoder
    /// The largest number of repetitions that a file can state.
    private static let maxLoops = 65535

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

    func finish(at milliseconds: Int) throws(ImagingError) -> [UInt8] {
        guard unsafe WebPAnimEncoderAdd(handle, nil, Int32(milliseconds), nil) != 0 else { throw failure }
        var data = unsafe WebPData()
        guard unsafe WebPAnimEncoderAssemble(handle, &data) != 0 else { throw failure }
        defer { unsafe WebPDataClear(&data) }
        let file = unsafe [UInt8](UnsafeBufferPointer(start: data.bytes, count: data.size))
        return try WebPEncoder.file(file, with: settings.metadata)
    }

    /// Only a lack of memory stops the encoder.
    private var failure: ImagingError {
        let text = unsafe WebPAnimEncoderGetError(handle).map { unsafe String(cString: $0) } ?? ""
        return ImagingError(.decodeLimit, "animation: \(text)")
    }
}

// SPDX-License-Identifier: MIT

extension Thumbnailer {
    /// Replaces the thumbnails of an animation's first frame by animated ones, if the options ask for that.
    ///
    /// Thumbnails stay still, with a note, if the animation exceeds a limit, or is of a kind that cannot be read.
    func animate(
        _ result: inout ThumbnailResult, of image: OpenedImage, _ plans: [ThumbnailPlan],
        _ recording: @autoclosure () throws(ImagingError) -> AnimationRecording, _ watchdog: DecodeWatchdog,
        salvages: Bool, _ times: inout ImagingTimes
    ) throws(ImagingError) {
        guard let decoder = animationDecoder(of: image) else {
            result.notes += frameNotes(image.info, used: 1)
            return
        }
        var recording = try recording()
        let job = DecodeJob(
            input: image.input, header: image.header, minimumSize: (image.info.width, image.info.height),
            limits: options.limits, watchdog: watchdog, usesCheckingDecoder: image.usesCheckingDecoder)
        do throws(ImagingError) {
            if let memory = try animationMemory(of: image, plans) { try checkLimit(memory) }
            let start = ContinuousClock.now
            let others = times.resample + times.encode
            defer { times.decode += ContinuousClock.now - start - (times.resample + times.encode - others) }
            try decoder.decodeFrames(job) { (frame) throws(ImagingError) in
                try watchdog.check()
                try recording.add(frame, &times)
                return !recording.isFull
            }
        } catch {
            switch error.code {
            case .unsupported, .decodeLimit:
                result.notes += frameNotes(image.info, used: 1) + ["not animated: \(error.detail)"]
                return
            default: guard salvages, error.isDamage else { throw error }
            }
        }
        if recording.frames > 1 { try recording.finish(&result, &times) }
        result.notes += frameNotes(image.info, used: recording.frames)
    }

    /// Returns a note if not all frames of an animation are used.
    func frameNotes(_ info: ImageInfo, used: Int) -> [String] {
        guard used < info.frames else { return [] }
        return used > 1
            ? ["only the first \(used) of \(info.frames) frames are used"]
            : ["only the first of \(info.frames) frames is used"]
    }

    /// Estimates the memory of a decode including the animation; `nil` if that is not kept.
    func animationMemory(of image: OpenedImage, _ plans: [ThumbnailPlan]) throws(ImagingError) -> Int? {
        guard animationDecoder(of: image) != nil else { return nil }
        // The canvas, a copy of it, the frame and its rows; the frame's bytes, which are collected and wrapped.
        let frames = image.info.width * image.info.height * 16 + image.input.count * 3
        // libwebp keeps the canvas of a thumbnail several times.
        let thumbnails = plans.reduce(0) { $0 + $1.pixels * 4 * 12 }
        return try memory(of: image, plans) + image.checkingBytes + frames + thumbnails
    }

    /// The decoder of an animation that the options keep.
    private func animationDecoder(of image: OpenedImage) -> (any AnimationDecoding)? {
        guard options.animation == .keep, image.info.frames > 1 else { return nil }
        return Codecs.codec(of: image.info.format).decoder as? any AnimationDecoding
    }
}

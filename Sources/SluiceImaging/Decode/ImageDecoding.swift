// SPDX-License-Identifier: MIT

/// Reads files of one format: their headers, and their pixels row by row.
protocol ImageDecoding: Sendable {
    /// Reads the header of a file with the format's signature; if `salvages` is on, tolerates damage after the pixels.
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader

    /// Returns the embedded colour profile that the header declares; `nil` if it is too large.
    func readProfile(of header: ImageHeader, _ input: ImageInput) throws(ImagingError) -> [UInt8]?

    /// Checks whether a file contains the end of its image, since a download can succeed with half a file.
    ///
    /// The check reads only the file's structure, at disk speed; damage inside the image data is found by decoding.
    /// Throws `truncated` if the end is missing, and `tooManyScans` before a decoder would spend time on them.
    func checkCompleteness(
        _ input: ImageInput, _ info: ImageInfo, limits: ImageLimits, watchdog: DecodeWatchdog) throws(ImagingError)

    /// Returns a truncated file with the end marker that it lacks; `nil` if more than the marker seems to be missing.
    ///
    /// The pixels may still be incomplete, which a strict decode of the result tells.
    func completed(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) -> ImageInput?

    /// Creates a reader that finds out whether the first bytes of a file suffice; `nil` if they never do.
    func makePrefixFinder(for goal: PrefixGoal) -> (any PrefixFinding)?

    /// Returns the size to decode to, which is at least `minimumSize` in both directions.
    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int)

    /// Estimates the decoder's memory in bytes for an image decoded to `size`, without a few row buffers.
    ///
    /// `count` is the file's size in bytes. The image has passed the pixel limit, so products of its sides cannot
    /// overflow.
    func memory(for header: ImageHeader, count: Int, size: (width: Int, height: Int)) -> Int

    /// Estimates the memory in bytes that a second thread takes in addition; 0 if the decoder does not use one.
    func secondThreadMemory(for header: ImageHeader, size: (width: Int, height: Int)) -> Int

    /// Decodes the whole image and passes its rows to the receiver from top to bottom.
    ///
    /// Throws if the image is incomplete or corrupt. If the job salvages damage, the decoder instead delivers the rows
    /// it has and returns the damage in the outcome. Polls the job's watchdog between rows.
    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome
}

extension ImageDecoding {
    func readProfile(of header: ImageHeader, _ input: ImageInput) throws(ImagingError) -> [UInt8]? {
        let total = header.profileRanges.reduce(0) { $0 + $1.count }
        guard total > 0, total <= ImageHeader.maxProfileBytes else { return nil }
        var bytes: [UInt8] = []
        for part in header.profileRanges { bytes += try input.read(at: part.lowerBound, count: part.count) }
        return bytes
    }

    func completed(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) -> ImageInput? { nil }

    func makePrefixFinder(for goal: PrefixGoal) -> (any PrefixFinding)? { nil }

    func secondThreadMemory(for header: ImageHeader, size: (width: Int, height: Int)) -> Int { 0 }

    func size(of header: ImageHeader, minimumSize: (width: Int, height: Int)) -> (width: Int, height: Int) {
        (header.info.width, header.info.height)
    }
}

/// The parameters of one decode.
struct DecodeJob {
    var input: ImageInput
    let header: ImageHeader
    /// The smallest sufficient size in stored orientation; a decoder that can shrink may decode to this size.
    let minimumSize: (width: Int, height: Int)
    let limits: ImageLimits
    let watchdog: DecodeWatchdog
    /// Whether to keep the readable part of a damaged image.
    var salvages = false
    /// Whether a warning about the pixels counts as damage, because the file is cut or padded.
    var rejectsWarnings = false
    /// Whether to skip details that are barely visible.
    var prefersSpeed = false
    /// Whether only the format's library may decode.
    var usesReference = false
    /// Whether there is memory for the decoder that finds the most damage.
    var usesCheckingDecoder = true
    /// The thread that may share the decode; `nil` if there is none, or no memory for it.
    var spareThread: SpareThread?
}

/// The result of a decode apart from its rows.
struct DecodeOutcome {
    /// Harmless irregularities in the file.
    var notes: [String] = []
    /// The reason why rows are missing or wrong; set only if the job salvages damage.
    var damage: ImagingError?
}

/// The bytes of a file that a smaller image needs.
struct PrefixGoal: Sendable {
    /// Returns the minimum size to decode an image to.
    let minimumSize: @Sendable (ImageHeader) throws(ImagingError) -> (width: Int, height: Int)
    /// Whether the image's own preview may replace it.
    let acceptsPreview: Bool
}

/// Finds out, while a file of one format arrives, how many of its first bytes suffice for a smaller image.
protocol PrefixFinding: Sendable {
    /// The bytes that complete the prefix to a file.
    var ending: [UInt8] { get }
    /// The number of the file's first bytes to complete, once enough bytes have arrived.
    var count: Int? { get }
    /// The image, if the completed file has only its preview.
    var previewed: ImageInfo? { get }
    /// Reads the next bytes of the file, which may have another format.
    mutating func receive(_ bytes: Span<UInt8>)
}

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

// SPDX-License-Identifier: MIT

internal import CAVIF

/// Owns a libavif decoder, which decodes in the calling thread.
///
/// libaom finds damage that dav1d 1.0 does not report: data of a tile that end elsewhere than its symbols. The pixels
/// are the same, but libaom takes 2 to 4 times the processor time, and much more memory.
@safe struct AVIFReader: ~Copyable {
    /// The part of a file to decode.
    enum Part {
        /// The picture for readers of stills.
        case still
        /// The frames of the animation.
        case animation
    }

    private let handle: UnsafeMutablePointer<avifDecoder>
    /// Whether libaom decodes, and not dav1d.
    let isChecking: Bool

    /// Creates a decoder; with `checks`, libaom decodes, if libavif has it.
    init(_ info: ImageInfo, of part: Part = .still, checks: Bool) throws(ImagingError) {
        try AVIFLibrary.load()
        guard let handle = unsafe avifDecoderCreate() else {
            throw ImagingError(.decodeLimit, "no memory for an AVIF decoder")
        }
        unsafe self.handle = handle
        isChecking = checks && AVIFLibrary.hasCheckingDecoder
        unsafe handle.pointee.codecChoice = isChecking ? AVIF_CODEC_CHOICE_AOM : AVIF_CODEC_CHOICE_DAV1D
        unsafe handle.pointee.maxThreads = 1
        unsafe handle.pointee.requestedSource =
            part == .still ? AVIF_DECODER_SOURCE_PRIMARY_ITEM : AVIF_DECODER_SOURCE_TRACKS
        unsafe handle.pointee.ignoreExif = 1
        unsafe handle.pointee.ignoreXMP = 1
        // Many writers omit the boxes that the other strict checks require, and browsers accept such files.
        unsafe handle.pointee.strictFlags = AVIF_STRICT_ALPHA_ISPE_REQUIRED.rawValue
        unsafe handle.pointee.imageSizeLimit = Self.maxPixels(info)
        unsafe handle.pointee.imageDimensionLimit = 0
    }

    deinit { unsafe avifDecoderDestroy(handle) }

    /// Returns the limit for the picture and its tiles, which may exceed the picture a little.
    private static func maxPixels(_ info: ImageInfo) -> UInt32 {
        let (columns, rows) = ((info.width + 1023) / 1024, (info.height + 1023) / 1024)
        let (blocks, overflow) = columns.multipliedReportingOverflow(by: rows)
        // libavif rejects a larger limit than this.
        return overflow || blocks >= 256 ? 16384 * 16384 : UInt32(blocks << 20)
    }

    /// Decodes the still picture of a file.
    func decode(_ file: [UInt8], _ info: ImageInfo) throws(ImagingError) {
        try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            try unsafe parse(bytes)
            try decodeNext(info)
        }
    }

    /// Decodes the frames of a file in order, and passes the duration of each to `body` until that returns false.
    func decodeFrames(
        _ file: [UInt8], _ info: ImageInfo,
        _ body: (borrowing AVIFReader, _ milliseconds: Int) throws(ImagingError) -> Bool
    ) throws(ImagingError) {
        try unsafe file.withUnsafeBufferPointer { bytes throws(ImagingError) in
            try unsafe parse(bytes)
            for _ in 0..<(unsafe handle.pointee.imageCount) {
                try decodeNext(info)
                // A duration comes from the file, and may not fit into an integer.
                let seconds = unsafe max(0, min(handle.pointee.imageTiming.duration, 3600))
                guard try body(self, seconds.isNaN ? 0 : Int(seconds * 1000)) else { return }
            }
        }
    }

    /// Reads the boxes of a file, whose bytes must stay in place while it is decoded.
    private func parse(_ file: UnsafeBufferPointer<UInt8>) throws(ImagingError) {
        try Self.check(unsafe avifDecoderSetIOMemory(handle, file.baseAddress, file.count))
        try Self.check(unsafe avifDecoderParse(handle))
    }

    private func decodeNext(_ info: ImageInfo) throws(ImagingError) {
        try Self.check(unsafe avifDecoderNextImage(handle))
        let image = unsafe handle.pointee.image.pointee
        let isGrey = unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400
        guard unsafe Int(image.width) == info.width, unsafe Int(image.height) == info.height,
            isGrey == (info.colorModel == .grey)
        else { throw ImagingError(.corrupt, "the AVIF picture differs from its header") }
    }

    /// Passes the decoded rows to the receiver.
    func deliver(
        _ header: ImageHeader, watchdog: DecodeWatchdog, to receiver: some RowReceiving
    ) throws(ImagingError) {
        try unsafe YUVConverter.deliver(handle.pointee.image.pointee, of: header, watchdog: watchdog, to: receiver)
    }

    private static func check(_ result: avifResult) throws(ImagingError) {
        switch result {
        case AVIF_RESULT_OK: return
        case AVIF_RESULT_TRUNCATED_DATA: throw ImagingError(.truncated, "AVIF image data ends early")
        case AVIF_RESULT_OUT_OF_MEMORY: throw ImagingError(.decodeLimit, "no memory for an AVIF image")
        case AVIF_RESULT_NO_CODEC_AVAILABLE:
            throw ImagingError(.unsupported, "AVIF: libavif has no dav1d")
        case AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_UNSUPPORTED_DEPTH:
            throw ImagingError(.unsupported, "AVIF feature")
        default:
            throw unsafe ImagingError(
                .corrupt, "invalid AVIF: \(String(cString: avifResultToString(result)))")
        }
    }
}

extension AVIFDecoder: AnimationDecoding {
    func decodeFrames(
        _ job: DecodeJob, _ body: (AnimationFrame) throws(ImagingError) -> Bool
    ) throws(ImagingError) {
        let header = job.header
        let reader = try AVIFReader(header.decodedInfo, of: .animation, checks: job.checksAVIF)
        try reader.decodeFrames(job.readAVIF(), header.decodedInfo) {
            (reader, milliseconds) throws(ImagingError) in
            let image = try Raster(of: header.info) { (rows) throws(ImagingError) in
                try reader.deliver(header, watchdog: job.watchdog, to: rows)
            }
            return try body(AnimationFrame(image: image, milliseconds: milliseconds))
        }
    }
}

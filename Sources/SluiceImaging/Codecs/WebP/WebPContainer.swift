// SPDX-License-Identifier: MIT

/// Checks the chunks of a WebP by the rules of libwebp's demuxer, which browsers and other readers use.
///
/// libwebp's decoder takes the first image that it finds, and shows something even if chunks are misordered, repeated
/// or of the wrong length. The check reads only the beginning of each chunk. The file must be as long as it declares.
struct WebPContainer {
    private static let simpleStart = 12
    private static let headerBytes = 8
    /// The largest content of a chunk.
    private static let maxBytes = 0xFFFF_FFFF - 8 - 1
    /// The number of pixels that neither an image nor a canvas may have.
    private static let maxPixels = 1 << 32

    /// The flags of an extended file.
    private enum Flag {
        static let animation = 0x02
        static let alpha = 0x10
        /// Animation, XMP, EXIF, alpha and profile.
        static let all = 0x3E
    }

    private struct Size: Equatable {
        var width: Int
        var height: Int
    }

    private var window: ByteWindow
    private let watchdog: DecodeWatchdog
    private var offset = simpleStart
    /// The end of the declared file.
    private let end: Int

    /// Checks a file; throws `corrupt` if the demuxer would reject it.
    static func check(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) {
        var container = try WebPContainer(input, watchdog: watchdog)
        try container.checkFile()
    }

    private init(_ input: ImageInput, watchdog: DecodeWatchdog) throws(ImagingError) {
        window = ByteWindow(input, span: 256)
        self.watchdog = watchdog
        end = try min(window.count, WebPChunks.declaredSize(&window))
    }

    private mutating func checkFile() throws(ImagingError) {
        switch try nextChunk().name {
        case "VP8X": try checkExtended()
        case "VP8 ", "VP8L": _ = try readImage()
        default: throw invalid("something else before its image")
        }
    }

    // MARK: Extended files

    private mutating func checkExtended() throws(ImagingError) {
        let chunk = try nextChunk()
        guard chunk.length >= 10 else { throw invalid("a VP8X chunk of \(chunk.length) bytes") }
        let flags = try window.uint8(at: chunk.start)
        let canvas = Size(
            width: try window.littleEndian(at: chunk.start + 4, count: 3) + 1,
            height: try window.littleEndian(at: chunk.start + 7, count: 3) + 1)
        guard canvas.width * canvas.height < Self.maxPixels else { throw invalid("a canvas of 4 gigapixels") }
        guard flags & ~Flag.all == 0 else { throw invalid("unknown flags") }
        skip(chunk)
        var (animations, images) = (0, 0)
        repeat {
            try watchdog.check()
            let chunk = try nextChunk()
            switch chunk.name {
            case "VP8X": throw invalid("two VP8X chunks")
            case "ALPH", "VP8 ", "VP8L":
                guard animations == 0, flags & Flag.animation == 0 else { throw invalid("a still in an animation") }
                guard images == 0 else { throw invalid("two images") }
                let image = try readImage()
                guard image.size == canvas else { throw invalid("an image whose size is not the canvas") }
                // Without the flag, decoders ignore the alpha.
                if flags & Flag.alpha != 0 { try checkOrder(of: image) }
                images += 1
            case "ANIM":
                guard chunk.padded >= 6 else { throw invalid("an ANIM chunk of \(chunk.length) bytes") }
                animations += 1
                skip(chunk)
            case "ANMF":
                guard animations > 0 else { throw invalid("a frame before the animation") }
                let isShown = try checkFrame(chunk, on: canvas, isAnimation: flags & Flag.animation != 0)
                images += isShown ? 1 : 0
            default: skip(chunk)
            }
        } while offset < end
        guard images > 0 else { throw invalid("no image") }
    }

    /// Checks a frame; returns whether it has an image and belongs to an animation.
    private mutating func checkFrame(
        _ chunk: Chunk, on canvas: Size, isAnimation: Bool
    ) throws(ImagingError) -> Bool {
        guard chunk.padded >= 16 else { throw invalid("a frame of \(chunk.length) bytes") }
        let x = try window.littleEndian(at: chunk.start, count: 3) * 2
        let y = try window.littleEndian(at: chunk.start + 3, count: 3) * 2
        let width = try window.littleEndian(at: chunk.start + 6, count: 3) + 1
        let height = try window.littleEndian(at: chunk.start + 9, count: 3) + 1
        guard width * height < Self.maxPixels else { throw invalid("a frame of 4 gigapixels") }
        offset = chunk.start + 16
        let image = try readImage()
        guard offset <= chunk.start + chunk.padded else { throw invalid("an image that exceeds its frame") }
        guard isAnimation, image.size != nil || image.hasAlpha else { return false }
        try checkOrder(of: image)
        guard let size = image.size, x + size.width <= canvas.width, y + size.height <= canvas.height else {
            throw invalid("a frame that exceeds the canvas")
        }
        return true
    }

    // MARK: Images

    private struct Image {
        /// `nil` if there are no pixels.
        var size: Size?
        var hasAlpha = false
        /// Whether the alpha comes after the pixels.
        var isMisordered = false
    }

    /// Reads the alpha and the pixels of the image that starts here, and moves to the chunk after it.
    private mutating func readImage() throws(ImagingError) -> Image {
        var image = Image()
        repeat {
            let chunk = try nextChunk()
            switch chunk.name {
            case "ALPH" where !image.hasAlpha:
                image.hasAlpha = true
                image.isMisordered = image.size != nil
            case "VP8L" where image.hasAlpha: throw invalid("alpha before a lossless image")
            case "VP8L" where image.size == nil: image.size = try losslessSize(chunk)
            case "VP8 " where image.size == nil: image.size = try lossySize(chunk)
            default: return image
            }
            skip(chunk)
        } while offset < end
        return image
    }

    private func checkOrder(of image: Image) throws(ImagingError) {
        guard image.size != nil else { throw invalid("alpha without an image") }
        guard !image.isMisordered else { throw invalid("alpha after its image") }
    }

    private mutating func lossySize(_ chunk: Chunk) throws(ImagingError) -> Size {
        guard chunk.padded >= 10 else { throw invalid("an image of \(chunk.length) bytes") }
        let bits = try window.littleEndian(at: chunk.start, count: 3)
        let isKeyFrame = bits & 1 == 0
        let isVisible = bits >> 4 & 1 == 1
        let isKnown = bits >> 1 & 7 <= 3
        guard try Array(window.bytes(at: chunk.start + 3, count: 3)) == [0x9D, 0x01, 0x2A], isKeyFrame, isVisible,
            isKnown
        else { throw invalid("an image without a visible key frame") }
        guard bits >> 5 < chunk.length else { throw invalid("an image that exceeds its chunk") }
        let size = Size(
            width: try window.littleEndian(at: chunk.start + 6, count: 2) & 0x3FFF,
            height: try window.littleEndian(at: chunk.start + 8, count: 2) & 0x3FFF)
        guard size.width > 0, size.height > 0 else { throw invalid("an image without pixels") }
        return size
    }

    private mutating func losslessSize(_ chunk: Chunk) throws(ImagingError) -> Size {
        guard chunk.padded >= 5, try window.uint8(at: chunk.start) == 0x2F else {
            throw invalid("a lossless image without its signature")
        }
        let bits = try window.littleEndian(at: chunk.start + 1, count: 4)
        guard bits >> 29 == 0 else { throw invalid("a lossless image of an unknown version") }
        return Size(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }

    // MARK: Chunks

    private struct Chunk {
        let name: String
        /// The offset of the content.
        let start: Int
        let length: Int
        /// The length with the padding to an even number.
        var padded: Int { length + length & 1 }
    }

    /// Reads the chunk that starts here.
    private mutating func nextChunk() throws(ImagingError) -> Chunk {
        guard end - offset >= Self.headerBytes else { throw invalid("\(end - offset) bytes after the last chunk") }
        let chunk = Chunk(
            name: try window.name(at: offset), start: offset + Self.headerBytes,
            length: try window.littleEndian(at: offset + 4, count: 4))
        guard chunk.length <= Self.maxBytes, chunk.padded <= end - chunk.start else {
            throw invalid("a chunk that exceeds the file")
        }
        return chunk
    }

    private mutating func skip(_ chunk: Chunk) { offset = chunk.start + chunk.padded }

    private func invalid(_ reason: String) -> ImagingError { ImagingError(.corrupt, "WebP with \(reason)") }
}

// SPDX-License-Identifier: MIT

/// Where the parts of a JPEG XL are in its file, which is a codestream or a container with one.
struct JXLLayout {
    private static let signature: [UInt8] = [0xFF, 0x0A]
    private static let maxBoxes = 4096

    /// The parts of the codestream, in order.
    private(set) var codestream: [Range<Int>] = []
    private(set) var exif: Range<Int>?
    private(set) var xmp: Range<Int>?
    /// Whether the container says that parts of the codestream are missing.
    private(set) var isIncomplete = false

    init(_ window: inout ByteWindow) throws(ImagingError) {
        if try window.bytes(at: 0, count: 2).elementsEqual(Self.signature) {
            codestream = [0..<window.count]
            return
        }
        var (offset, boxes, hasParts, hasLastPart) = (0, 0, false, false)
        while offset < window.count {
            boxes += 1
            guard boxes <= Self.maxBoxes else { throw ImagingError(.badChunk, "more than \(Self.maxBoxes) boxes") }
            let box = try Self.box(at: offset, &window)
            // The pixels of a cut file may suffice, but its other boxes do not count.
            let body = box.body.clamped(to: 0..<window.count)
            switch box.name {
            case "jxlc": codestream.append(body)
            case "jxlp":
                guard body.count >= 4 else { throw ImagingError(.truncated, "\(window.count) bytes") }
                hasParts = true
                hasLastPart = try window.uint8(at: body.lowerBound) & 0x80 != 0
                codestream.append(body.dropFirst(4))
            case "Exif" where box.body == body && exif == nil: exif = body
            case "xml " where box.body == body && xmp == nil: xmp = body
            default: break
            }
            isIncomplete = isIncomplete || box.body != body
            offset = box.body.upperBound
        }
        isIncomplete = isIncomplete || hasParts && !hasLastPart
        guard !codestream.isEmpty else { throw ImagingError(.truncated, "JPEG XL without a codestream") }
    }

    /// Reads the first bytes of the codestream.
    func start(count: Int, _ window: inout ByteWindow) throws(ImagingError) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in codestream where bytes.count < count {
            bytes += try window.bytes(at: part.lowerBound, count: min(part.count, count - bytes.count))
        }
        return bytes
    }

    private static func box(
        at offset: Int, _ window: inout ByteWindow
    ) throws(ImagingError) -> (name: String, body: Range<Int>) {
        var length = try window.uint32(at: offset)
        let name = String(decoding: try window.bytes(at: offset + 4, count: 4), as: UTF8.self)
        var head = 8
        if length == 1 {
            guard try window.uint32(at: offset + 8) == 0 else {
                throw ImagingError(.truncated, "\(window.count) bytes")
            }
            length = try window.uint32(at: offset + 12)
            head = 16
        } else if length == 0 {
            length = window.count - offset
        }
        guard length >= head else { throw ImagingError(.badChunk, "a box of \(length) bytes") }
        return (name, offset + head..<offset + length)
    }
}

extension ImageHeader {
    /// The most bytes of a codestream in which its header is expected; names of channels may be long.
    private static let maxHeaderBytes = 16 << 10
    /// The most pixels of which samples of more than 8 bits are kept, unless 8 are too few.
    private static let maxDeepPixels = 12_000_000

    /// Reads the header of a JPEG XL up to its colours (ISO/IEC 18181-1, annex D).
    static func jxl(_ window: inout ByteWindow) throws(ImagingError) -> ImageHeader {
        let layout = try JXLLayout(&window)
        var bits = JXLBits(try layout.start(count: maxHeaderBytes, &window))
        let signature = bits.number(16)
        guard bits.hasEnded || signature == 0x0AFF else {
            throw ImagingError(.corrupt, "JPEG XL without its signature")
        }
        let size = bits.size()
        let metadata = JXLMetadata(&bits)
        guard !bits.hasEnded else { throw ImagingError(.truncated, "\(window.count) bytes") }
        guard max(size.width, size.height) <= Int32.max else {
            throw ImagingError(.tooManyPixels, "\(size.width)x\(size.height)")
        }
        guard !metadata.hasBlack else { throw ImagingError(.unsupported, "JPEG XL in CMYK") }
        var header = ImageHeader(ImageInfo(format: .jxl, width: size.width, height: size.height))
        let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
        // The library takes three times the memory for samples of 16 bits.
        let isLarge = overflow || pixels > maxDeepPixels
        header.info.bitDepth = metadata.needsDeepSamples || metadata.isDeep && !isLarge ? 16 : 8
        if metadata.isDeep, header.info.bitDepth == 8 { header.notes.append("large, so reduced to 8 bits per sample") }
        header.info.colorModel = metadata.colors.isGrey ? .grey : .rgb
        header.info.hasAlpha = metadata.hasAlpha
        header.isAnimated = metadata.isAnimated
        if metadata.isAnimated { header.notes.append("only the first frame of the animation is used") }
        if let exif = layout.exif, exif.count > 4, exif.count <= EXIFBlock.maxBytes {
            let distance = try window.uint32(at: exif.lowerBound)
            header.readEXIF(try window.bytes(exif).dropFirst(4).dropFirst(distance))
        }
        // Writers turn the picture by its own field, and copy the camera's EXIF.
        header.info.orientation = metadata.orientation
        header.creditLocations.xmp = layout.xmp
        header.dynamicRange = metadata.dynamicRange
        if let range = header.dynamicRange { header.notes.append(range.note) }
        header.info.hasProfile = !metadata.colors.isSRGB && header.dynamicRange == nil
        // The pixel limit rejects a larger picture.
        if !overflow, pixels < 1 << 48 {
            header.wholeImageBytes = pixels * metadata.bytesPerPixel(isDeep: header.info.bitDepth == 16)
        }
        return header
    }
}

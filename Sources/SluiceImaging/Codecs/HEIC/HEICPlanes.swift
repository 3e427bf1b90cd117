// SPDX-License-Identifier: MIT

internal import CAVIF
internal import CSluice

/// The planes of a whole picture, into which its decoded tiles are copied.
struct HEICPlanes {
    private let header: ImageHeader
    private let info: ImageInfo
    private let chroma: HEVCConfiguration.Chroma
    private let brightness: HEICPlane
    /// The differences of blue and red; none if the picture is grey.
    private let colors: [HEICPlane]
    private let alpha: HEICPlane?
    private var isFullRange = false
    private var matrix = 2

    init(_ header: ImageHeader, _ chroma: HEVCConfiguration.Chroma) {
        let info = header.decodedInfo
        (self.header, self.info, self.chroma) = (header, info, chroma)
        let sampleBytes = info.bitDepth > 8 ? 2 : 1
        let plane = { (divisor: (Int, Int)) in
            HEICPlane(
                width: (info.width + divisor.0 - 1) / divisor.0, height: (info.height + divisor.1 - 1) / divisor.1,
                sampleBytes: sampleBytes)
        }
        brightness = plane((1, 1))
        colors = chroma == .grey ? [] : [plane(chroma.divisors), plane(chroma.divisors)]
        alpha = info.hasAlpha ? plane((1, 1)) : nil
    }

    /// Throws unless a decoded tile has the size and the samples that the file states.
    private static func check(
        _ picture: csluice_hevc_picture, _ tiles: HEICTiles, _ info: ImageInfo
    ) throws(ImagingError) {
        guard Int(picture.width) == tiles.tileWidth, Int(picture.height) == tiles.tileHeight,
            Int(picture.depth) == info.bitDepth,
            Int(picture.chroma) == tiles.configuration.chroma.rawValue
        else { throw ImagingError(.corrupt, "the HEVC picture differs from its header") }
    }

    /// Copies a decoded tile to its place; leaves out what extends beyond the picture.
    mutating func copy(
        _ picture: csluice_hevc_picture, of tiles: HEICTiles, x: Int, y: Int, isAlpha: Bool
    ) throws(ImagingError) {
        try Self.check(picture, tiles, info)
        let pixels = unsafe picture.planes.0
        if isAlpha {
            unsafe alpha?.copy(
                pixels, rowBytes: picture.row_bytes.0, width: tiles.tileWidth, height: tiles.tileHeight, x: x, y: y)
            return
        }
        (isFullRange, matrix) = (picture.is_full_range, Int(picture.matrix))
        unsafe brightness.copy(
            pixels, rowBytes: picture.row_bytes.0, width: tiles.tileWidth, height: tiles.tileHeight, x: x, y: y)
        guard chroma != .grey else { return }
        let (across, down) = chroma.divisors
        let (width, height) = ((tiles.tileWidth + across - 1) / across, (tiles.tileHeight + down - 1) / down)
        unsafe colors[0].copy(
            picture.planes.1, rowBytes: picture.row_bytes.1, width: width, height: height, x: x / across, y: y / down)
        unsafe colors[1].copy(
            picture.planes.2, rowBytes: picture.row_bytes.2, width: width, height: height, x: x / across, y: y / down)
    }

    /// Passes the rows of a picture of one tile to the receiver, from the planes of its decoder.
    static func deliver(
        _ picture: csluice_hevc_picture, of tiles: HEICTiles, _ header: ImageHeader, codePoints: HEICCodePoints?,
        watchdog: DecodeWatchdog, to receiver: some RowReceiving
    ) throws(ImagingError) {
        let (info, chroma) = (header.decodedInfo, tiles.configuration.chroma)
        try check(picture, tiles, info)
        var image = unsafe image(
            of: info, chroma, isFullRange: codePoints?.isFullRange ?? picture.is_full_range,
            matrix: codePoints?.matrix ?? Int(picture.matrix))
        let divisor = chroma.divisors.0
        let lengths = [info.width, (info.width + divisor - 1) / divisor].map { $0 * (info.bitDepth > 8 ? 2 : 1) }
        let rows = picture.row_bytes
        guard Int(rows.0) >= lengths[0], chroma == .grey || min(Int(rows.1), Int(rows.2)) >= lengths[1] else {
            throw ImagingError(.corrupt, "the HEVC picture has short rows")
        }
        // libavif only reads them.
        unsafe image.yuvPlanes = unsafe (
            UnsafeMutablePointer(mutating: picture.planes.0), UnsafeMutablePointer(mutating: picture.planes.1),
            UnsafeMutablePointer(mutating: picture.planes.2)
        )
        unsafe image.yuvRowBytes = (UInt32(rows.0), UInt32(rows.1), UInt32(rows.2))
        try unsafe YUVConverter.deliver(image, of: header, watchdog: watchdog, to: receiver)
    }

    /// Describes a picture to libavif, without its planes.
    private static func image(
        of info: ImageInfo, _ chroma: HEVCConfiguration.Chroma, isFullRange: Bool, matrix: Int
    ) -> avifImage {
        var image = unsafe avifImage()
        unsafe image.width = UInt32(info.width)
        unsafe image.height = UInt32(info.height)
        unsafe image.depth = UInt32(info.bitDepth)
        unsafe image.yuvFormat = chroma.format
        unsafe image.yuvRange = isFullRange ? AVIF_RANGE_FULL : AVIF_RANGE_LIMITED
        // Decoders take an unknown matrix for that of JPEG.
        unsafe image.matrixCoefficients = avifMatrixCoefficients(truncatingIfNeeded: matrix == 2 ? 6 : matrix)
        return unsafe image
    }

    /// Passes the picture's rows to the receiver; the file's code points take precedence over the picture's own.
    func deliver(
        codePoints: HEICCodePoints?, watchdog: DecodeWatchdog, to receiver: some RowReceiving
    ) throws(ImagingError) {
        var image = unsafe Self.image(
            of: info, chroma, isFullRange: codePoints?.isFullRange ?? isFullRange, matrix: codePoints?.matrix ?? matrix)
        unsafe image.yuvPlanes.0 = brightness.base
        unsafe image.yuvRowBytes.0 = UInt32(brightness.rowBytes)
        if let blue = colors.first, let red = colors.last {
            unsafe image.yuvPlanes.1 = blue.base
            unsafe image.yuvRowBytes.1 = UInt32(blue.rowBytes)
            unsafe image.yuvPlanes.2 = red.base
            unsafe image.yuvRowBytes.2 = UInt32(red.rowBytes)
        }
        if let alpha {
            unsafe image.alphaPlane = alpha.base
            unsafe image.alphaRowBytes = UInt32(alpha.rowBytes)
        }
        try withExtendedLifetime((brightness, colors, alpha)) { () throws(ImagingError) in
            try unsafe YUVConverter.deliver(image, of: header, watchdog: watchdog, to: receiver)
        }
    }
}

private final class HEICPlane {
    private let width: Int
    private let height: Int
    private let sampleBytes: Int
    private let samples: SampleBuffer<UInt8>

    init(width: Int, height: Int, sampleBytes: Int) {
        (self.width, self.height, self.sampleBytes) = (width, height, sampleBytes)
        samples = SampleBuffer(count: width * height * sampleBytes, zero: 0)
    }

    var base: UnsafeMutablePointer<UInt8> { unsafe samples.base }
    var rowBytes: Int { width * sampleBytes }

    /// Copies the part of a decoded plane that lies within this one.
    func copy(_ source: UnsafePointer<UInt8>?, rowBytes: Int32, width: Int, height: Int, x: Int, y: Int) {
        guard let source = unsafe source, x < self.width, y < self.height else { return }
        let count = min(width, self.width - x) * sampleBytes
        guard count <= Int(rowBytes) else { return }
        for row in 0..<min(height, self.height - y) {
            let place = (y + row) * self.rowBytes + x * sampleBytes
            unsafe (samples.base + place).update(from: source + row * Int(rowBytes), count: count)
        }
    }
}

extension HEVCConfiguration.Chroma {
    /// Twice the number of samples of each pixel.
    var halfSamplesPerPixel: Int {
        switch self {
        case .grey: 2
        case .quarter: 3
        case .half: 4
        case .full: 6
        }
    }

    fileprivate var format: avifPixelFormat {
        switch self {
        case .grey: AVIF_PIXEL_FORMAT_YUV400
        case .quarter: AVIF_PIXEL_FORMAT_YUV420
        case .half: AVIF_PIXEL_FORMAT_YUV422
        case .full: AVIF_PIXEL_FORMAT_YUV444
        }
    }
}

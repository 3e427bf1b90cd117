// SPDX-License-Identifier: MIT

import CWebPDemux

@testable import SluiceImaging

/// Generated images, so that a test knows every expected pixel.
enum SampleImages {
    static func landscape(_ width: Int, _ height: Int) -> Raster {
        make(width, height, .rgb) { x, y in
            [
                UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)),
                UInt8((x + height - y) * 255 / (width + height)),
            ]
        }
    }

    /// Red, green, blue and white quarters: top left, top right, bottom left, bottom right.
    static func quarters(_ width: Int, _ height: Int) -> Raster {
        make(width, height, .rgb) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): [255, 0, 0]
            case (false, true): [0, 255, 0]
            case (true, false): [0, 0, 255]
            case (false, false): [255, 255, 255]
            }
        }
    }

    /// An image of one colour.
    static func plain(_ width: Int, _ height: Int, _ layout: PixelLayout, _ pixel: [UInt8]) -> Raster {
        make(width, height, layout) { _, _ in pixel }
    }

    static func make(_ width: Int, _ height: Int, _ layout: PixelLayout, _ pixel: (Int, Int) -> [UInt8]) -> Raster {
        var bytes: [UInt8] = []
        for y in 0..<height { for x in 0..<width { bytes += pixel(x, y) } }
        return Raster(width: width, height: height, layout: layout, bytes: bytes)
    }

    /// Encodes an image as a small file of the given format.
    static func file(_ format: ImageFormat, _ raster: Raster = landscape(24, 16), progressive: Bool = false) throws
        -> [UInt8]
    {
        var encoder = ImageEncoder(format)
        encoder.quality = 95
        encoder.isProgressive = progressive
        return try encoder.encode(raster)
    }
}

extension Raster {
    /// Returns the samples of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        let start = (y * width + x) * layout.channels
        return bytes[start..<start + layout.channels].map(Int.init)
    }

    /// Returns the maximum difference of any sample from another image; 256 if the images' shapes differ.
    func distance(to other: Raster) -> Int {
        guard width == other.width, height == other.height, layout == other.layout else { return 256 }
        return zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 256
    }
}

/// Returns the error that `body` throws; `nil` if it throws none.
func failure<Result>(_ body: () throws(ImagingError) -> Result) -> ImagingError? {
    do throws(ImagingError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// Returns a thumbnailer's error for a file; `nil` if it succeeds.
func failure(of file: [UInt8], _ options: ThumbnailOptions = ThumbnailOptions()) -> ImagingError? {
    failure { () throws(ImagingError) in try Thumbnailer(options).thumbnails(of: file) }
}

/// Decodes a file's pixels without rotation or colour conversion.
func decode(_ file: [UInt8]) throws -> Raster { try Raster(decoding: ImageInput(file)) }

/// Interlaced PNGs, which the encoder does not write.
enum InterlacedPNG {
    /// An image of 5 x 5 pixels whose grey value is ten times the row plus the column.
    static let file = file(width: 5, height: 5) { UInt8($1 * 10 + $0) }

    static func file(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> UInt8) -> [UInt8] {
        var rows: [UInt8] = []
        for pass in passes where pass.x < width {
            for y in stride(from: pass.y, to: height, by: pass.dy) {
                rows.append(0)
                for x in stride(from: pass.x, to: width, by: pass.dx) { rows.append(pixel(x, y)) }
            }
        }
        return FileBuilder.png(
            header: FileBuilder.header(width: UInt32(width), height: UInt32(height), colors: 0, interlaced: true),
            rows: rows)
    }

    private static let passes: [(x: Int, y: Int, dx: Int, dy: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
}

/// Everything that a decode yields, for comparisons of two decoders.
struct RecordedDecode: Equatable {
    private(set) var rows: [UInt8] = []
    private(set) var notes: [String] = []
    private(set) var error: ImagingError.Code?
    private(set) var message: String?
    /// The number of times that the receiver learned the shape of the rows.
    private(set) var beginnings = 0

    init(_ decoder: some ImageDecoding, _ job: DecodeJob) {
        let recorder = RowRecorder()
        do throws(ImagingError) {
            notes = try decoder.decode(job, into: recorder).notes
        } catch {
            (self.error, message) = (error.code, "\(error)")
        }
        (rows, beginnings) = (recorder.bytes, recorder.beginnings)
    }

    /// Whether both decodes yield the same; one that fails may have delivered fewer rows.
    func agrees(with other: RecordedDecode) -> Bool {
        let common = error == nil ? max(rows.count, other.rows.count) : min(rows.count, other.rows.count)
        return (notes, error, message) == (other.notes, other.error, other.message)
            && rows.prefix(common) == other.rows.prefix(common)
    }
}

final class RowRecorder: RowReceiving {
    private(set) var bytes: [UInt8] = []
    private(set) var rowCount = 0
    private(set) var beginnings = 0

    func begin(_ shape: RowShape) { beginnings += 1 }

    func receive(_ row: Span<UInt8>) {
        rowCount += 1
        unsafe row.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}

/// An animated WebP as libwebp's own reader of animations sees it.
struct DecodedAnimation {
    /// The canvas after each frame.
    private(set) var frames: [Raster] = []
    /// The end of each frame in milliseconds.
    private(set) var ends: [Int] = []
    private(set) var loops = 0

    init(_ file: [UInt8]) {
        var rgba = [UInt8](repeating: 0, count: 1 << 20)
        var facts = [Int32](repeating: 0, count: 5)
        while unsafe cwebpdemux_frame(file, file.count, Int32(frames.count), &rgba, rgba.count, &facts) == 1 {
            let (width, height) = (Int(facts[0]), Int(facts[1]))
            frames.append(
                Raster(width: width, height: height, layout: .rgba, bytes: Array(rgba.prefix(width * height * 4))))
            ends.append(Int(facts[4]))
            loops = Int(facts[3])
        }
    }
}

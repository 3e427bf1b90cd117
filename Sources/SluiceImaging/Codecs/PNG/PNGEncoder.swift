// SPDX-License-Identifier: MIT

internal import CSluice
internal import SluiceSystem

struct PNGEncoder: ImageEncoding {
    let capabilities = EncoderCapabilities(maxSide: 1_000_000, keepsAlpha: true, keepsGrey: true)

    func encode(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8] {
        var out: UnsafeMutablePointer<UInt8>? = nil
        var count = 0
        let verdict = unsafe settings.metadata.exif.withUnsafeBufferPointer { exif in
            unsafe settings.metadata.profile.withUnsafeBufferPointer { profile in
                var plan = unsafe csluice_png_options(
                    width: Int32(raster.width), height: Int32(raster.height), channels: Int32(raster.layout.channels),
                    level: 6, exif: exif.baseAddress, exif_count: exif.count, profile: profile.baseAddress,
                    profile_count: profile.count)
                return unsafe csluice_png_write(&plan, raster.bytes, &out, &count)
            }
        }
        return try unsafe takeOutput(of: .png, verdict, out, count) { unsafe free($0) }
    }

    /// Asks libpng by encoding one pixel; it rejects some profiles that other libraries use.
    func accepts(profile: [UInt8], isGrey: Bool) -> Bool {
        let layout: PixelLayout = isGrey ? .grey : .rgb
        let pixel = [UInt8](repeating: 0, count: layout.channels)
        var settings = ImageEncoder(.png)
        settings.metadata.profile = profile
        return (try? encode(Raster(width: 1, height: 1, layout: layout, bytes: pixel), settings)) != nil
    }
}

/// Writes XMP into a text chunk of a PNG.
enum PNGEmbedding {
    /// The keyword of a chunk with XMP, and the fields that say that its text is neither compressed nor translated.
    private static let keyword = Array("XML:com.adobe.xmp\0".utf8)
    private static let plainText: [UInt8] = [0, 0, 0, 0]

    /// Returns the file with the metadata; `nil` if it stays as it is.
    static func embed(_ metadata: EmbeddedMetadata, in file: [UInt8]) -> [UInt8]? {
        let start = 8
        var (offset, place) = (start, 0)
        var old: Range<Int>?
        while file.count - offset >= 12 {
            let length = Int(file[offset..<offset + 4].number(bigEndian: true))
            guard length <= file.count - offset - 12 else { return nil }
            let end = offset + 12 + length
            switch String(decoding: file[offset + 4..<offset + 8], as: UTF8.self) {
            case "IHDR" where offset == start: place = end
            // The file is signed.
            case "caBX": return nil
            case "iTXt" where file[(offset + 8)..<(end - 4)].starts(with: keyword):
                // Two packets, or a compressed one, are not merged.
                guard old == nil, file[(offset + 8)..<(end - 4)].starts(with: keyword + plainText) else { return nil }
                old = offset..<end
            default: break
            }
            offset = end
        }
        guard place > 0 else { return nil }
        let head = keyword + plainText
        let packet = old.map { Array(file[($0.lowerBound + 8 + head.count)..<($0.upperBound - 4)]) }
        guard let packet = metadata.packet(replacing: packet) else { return nil }
        let chunk = chunk(Array("iTXt".utf8) + head + packet)
        let replaced = old ?? place..<place
        return Array(file[..<replaced.lowerBound]) + chunk + file[replaced.upperBound...]
    }

    /// A chunk with its length and its checksum.
    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        bigEndian(UInt32(bytes.count - 4)) + bytes + bigEndian(PNGChunks.checksum(bytes[...]))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

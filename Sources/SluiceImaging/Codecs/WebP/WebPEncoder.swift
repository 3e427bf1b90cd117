// SPDX-License-Identifier: MIT

internal import CWebP

struct WebPEncoder: ImageEncoding {
    let capabilities = EncoderCapabilities(maxSide: 16383, keepsAlpha: true, hasQuality: true, canBeLossless: true)

    func encode(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8] {
        let plain = try encodePlain(raster.expanded(to: raster.layout.hasAlpha ? .rgba : .rgb), settings)
        return try Self.file(plain, with: settings.metadata)
    }

    /// Encodes without metadata.
    ///
    /// A lossy file holds its pixels in one part, or, if they exceed its 16 MB, in eight.
    private func encodePlain(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8] {
        for parts in WebPEncodeBuffer.Parts.allCases {
            let buffer = try WebPEncodeBuffer()
            if let file = try buffer.encode(raster, settings, parts) { return file }
        }
        throw ImagingError(
            .unsupported, "\(raster.width)x\(raster.height) pixels of quality \(settings.quality) exceed a WebP")
    }

    /// Returns a file with metadata, if there is any.
    static func file(_ plain: [UInt8], with metadata: ImageMetadata) throws(ImagingError) -> [UInt8] {
        guard !metadata.isEmpty else { return plain }
        guard let muxer = WebPMuxer(plain), muxer.add(metadata.profile, named: "ICCP"),
            muxer.add(metadata.exif, named: "EXIF"), let file = muxer.file
        else { throw ImagingError(.decodeLimit, "no memory for the metadata of a WebP") }
        return file
    }
}

/// Owns a libwebp muxer, which adds metadata to a WebP file.
@safe struct WebPMuxer: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file; `nil` if it is not a WebP.
    init?(_ file: [UInt8]) {
        let made = unsafe file.withUnsafeBufferPointer { buffer in
            var data = unsafe WebPData(bytes: buffer.baseAddress, size: buffer.count)
            return unsafe WebPMuxCreate(&data, 1)
        }
        guard let made = unsafe made else { return nil }
        unsafe handle = made
    }

    deinit { unsafe WebPMuxDelete(handle) }

    /// Adds a chunk, unless it is empty; returns false if libwebp fails.
    func add(_ chunk: [UInt8], named name: String) -> Bool {
        guard !chunk.isEmpty else { return true }
        return unsafe chunk.withUnsafeBufferPointer { buffer in
            var data = unsafe WebPData(bytes: buffer.baseAddress, size: buffer.count)
            return unsafe WebPMuxSetChunk(handle, name, &data, 1) == WEBP_MUX_OK
        }
    }

    /// The file with its chunks; `nil` if libwebp fails.
    var file: [UInt8]? {
        var data = unsafe WebPData()
        guard unsafe WebPMuxAssemble(handle, &data) == WEBP_MUX_OK else { return nil }
        defer { unsafe WebPDataClear(&data) }
        return unsafe [UInt8](UnsafeBufferPointer(start: data.bytes, count: data.size))
    }
}

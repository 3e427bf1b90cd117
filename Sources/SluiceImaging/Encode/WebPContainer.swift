// SPDX-License-Identifier: MIT

internal import CWebP

/// The owner of a WebP file to which metadata is added.
@safe struct WebPContainer: ~Copyable {
    private let handle: OpaquePointer

    /// Takes a file; `nil` if it is none.
    init?(_ file: [UInt8]) {
        let made = unsafe file.withUnsafeBufferPointer { buffer in
            var data = unsafe WebPData(bytes: buffer.baseAddress, size: buffer.count)
            return unsafe WebPMuxCreate(&data, 1)
        }
        guard let made = unsafe made else { return nil }
        unsafe handle = made
    }

    deinit { unsafe WebPMuxDelete(handle) }

    /// Puts a chunk in, unless it is empty; false if libwebp cannot.
    func add(_ chunk: [UInt8], named name: String) -> Bool {
        guard !chunk.isEmpty else { return true }
        return unsafe chunk.withUnsafeBufferPointer { buffer in
            var data = unsafe WebPData(bytes: buffer.baseAddress, size: buffer.count)
            return unsafe WebPMuxSetChunk(handle, name, &data, 1) == WEBP_MUX_OK
        }
    }

    /// The file with its chunks; `nil` if libwebp cannot.
    var file: [UInt8]? {
        var data = unsafe WebPData()
        guard unsafe WebPMuxAssemble(handle, &data) == WEBP_MUX_OK else { return nil }
        defer { unsafe WebPDataClear(&data) }
        return unsafe [UInt8](UnsafeBufferPointer(start: data.bytes, count: data.size))
    }
}

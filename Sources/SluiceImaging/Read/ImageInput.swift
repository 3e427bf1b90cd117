// SPDX-License-Identifier: MIT

internal import CSluice

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The bytes of an image file: an open descriptor, or an array in memory.
struct ImageInput {
    private enum Storage {
        case file(Int32)
        case memory([UInt8])
    }

    private let storage: Storage
    /// The size of the file in bytes.
    let count: Int

    init(_ bytes: [UInt8]) {
        storage = .memory(bytes)
        count = bytes.count
    }

    /// Uses a regular file; the caller keeps ownership of the descriptor and must keep it open.
    init(descriptor: Int32) throws(ImagingError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ImagingError(.disk, "not a regular file") }
        storage = .file(descriptor)
        count = Int(status.st_size)
    }

    /// Reads up to `count` bytes from `offset` on; returns fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(ImagingError) -> [UInt8] {
        let count = max(0, min(count, self.count - offset))
        switch storage {
        case .memory(let bytes): return Array(bytes[min(offset, bytes.count)...].prefix(count))
        case .file(let descriptor): return try Self.read(descriptor, at: offset, count: count)
        }
    }

    /// Passes the input to a C decoder; the C value is valid only inside `body`.
    func withCInput<Result>(_ body: (csluice_input) throws(ImagingError) -> Result) throws(ImagingError) -> Result {
        switch storage {
        case .file(let descriptor):
            return try unsafe body(csluice_input(descriptor: descriptor, bytes: nil, count: 0))
        case .memory(let bytes):
            return try unsafe bytes.withUnsafeBufferPointer { buffer throws(ImagingError) in
                try unsafe body(csluice_input(descriptor: -1, bytes: buffer.baseAddress, count: buffer.count))
            }
        }
    }

    private static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(ImagingError) -> [UInt8] {
        var error: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = unsafe pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { error = errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard error == 0 else { throw failure(error) }
        return bytes
    }

    private static func failure(_ code: Int32 = errno) -> ImagingError {
        unsafe ImagingError(.disk, String(cString: strerror(code)))
    }
}

// SPDX-License-Identifier: MIT

internal import CSluice
internal import SluiceSystem

/// The bytes of an image file: an open descriptor, or an array in memory, and possibly an end marker that it lacks.
struct ImageInput {
    private enum Storage {
        case file(Int32)
        case memory([UInt8])
    }

    private let storage: Storage
    /// The offset of the first byte in the file or the array.
    private var start = 0
    /// The number of bytes from the file or the array.
    private var storedCount: Int
    private var tail: [UInt8] = []

    /// The size of the file in bytes.
    var count: Int { storedCount + tail.count }

    init(_ bytes: [UInt8]) {
        storage = .memory(bytes)
        storedCount = bytes.count
    }

    /// Uses a regular file; the caller keeps ownership of the descriptor and must keep it open.
    init(descriptor: Int32) throws(ImagingError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ImagingError(.disk, "not a regular file") }
        storage = .file(descriptor)
        storedCount = Int(status.st_size)
    }

    /// Returns the first `count` bytes of the file, followed by others.
    func prefix(_ count: Int, followedBy tail: [UInt8]) -> ImageInput {
        precondition(count <= storedCount && self.tail.isEmpty, "the prefix is part of the file")
        var input = self
        input.storedCount = count
        input.tail = tail
        return input
    }

    /// Returns a part of the file as a file of its own.
    func part(_ range: Range<Int>) -> ImageInput {
        precondition(range.upperBound <= storedCount && tail.isEmpty, "the part lies in the file")
        var input = self
        input.start += range.lowerBound
        input.storedCount = range.count
        return input
    }

    /// Reads up to `count` bytes from `offset` on; returns fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(ImagingError) -> [UInt8] {
        let stored = max(0, min(count, storedCount - offset))
        let bytes: [UInt8]
        switch storage {
        case .memory(let array): bytes = Array(array[min(start + offset, array.count)...].prefix(stored))
        case .file(let descriptor): bytes = try Self.read(descriptor, at: start + offset, count: stored)
        }
        guard !tail.isEmpty, bytes.count == stored else { return bytes }
        return bytes + tail.dropFirst(max(0, offset - storedCount)).prefix(count - stored)
    }

    /// Passes the input to a C decoder; the C value is valid only inside `body`.
    func withCInput<Result>(_ body: (csluice_input) throws(ImagingError) -> Result) throws(ImagingError) -> Result {
        try unsafe tail.withUnsafeBufferPointer { tail throws(ImagingError) in
            switch storage {
            case .file(let descriptor):
                return try unsafe body(
                    csluice_input(
                        descriptor: descriptor, bytes: nil, start: start, count: storedCount,
                        tail: tail.baseAddress, tail_count: tail.count))
            case .memory(let bytes):
                return try unsafe bytes.withUnsafeBufferPointer { buffer throws(ImagingError) in
                    try unsafe body(
                        csluice_input(
                            descriptor: -1, bytes: buffer.baseAddress, start: start, count: storedCount,
                            tail: tail.baseAddress, tail_count: tail.count))
                }
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
